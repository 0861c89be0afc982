import { fail, type OptionsOf, type OptionTable, size } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import type { Generator } from "@reins/core/random";
import type { BatchedOptions } from "../batch-form.ts";
import { checkOptions } from "../options.ts";
import type { Dimensions, Simulation } from "./simulation.ts";
import type { View } from "./view.ts";

/** A task on a model. All values are of the row that is loaded in the simulation. */
export interface MujocoTask {
  readonly id: string;
  readonly maxSteps: number;
  readonly solvedAt?: number;
  /** The model as MJCF. */
  model(): string;
  /** Sizes of the model, so that the spaces are known before it is compiled. */
  readonly dimensions: Dimensions;
  /** Whether it reads by index, so that another model may not be smaller. */
  readonly readsAll?: boolean;
  /** Action bounds, one pair for all. */
  readonly motors: { readonly count: number; readonly strength: number };
  readonly frameSkip: number;
  /** A custom model instead of the default: MJCF, or the path of a file. */
  readonly xmlFile?: string | undefined;
  /** Whether contact forces are needed. */
  readonly forces?: boolean;
  readonly view: View;
  /** Size of an observation. */
  size(of: Dimensions): number;
  /** Labels of the observation and the action, with the default model. */
  readonly labels: { readonly observation: readonly string[]; readonly action: readonly string[] };
  /** Sets the initial positions and velocities. */
  begin(now: Simulation, random: Generator): void;
  /** Forward position, where velocity is rewarded. */
  progress?(now: Simulation): number;
  observe(now: Simulation, out: Float32Array, at: number): void;
  /** Reward of a step; `speed` is the forward velocity. */
  reward(now: Simulation, speed: number): number;
  /** Whether the episode ends. */
  ends?(now: Simulation): boolean;
}

/** Two bounds; null stands for infinity, which JSON cannot represent. */
export type Bounds = readonly [low: number | null, high: number | null];

/** Options of all environments of this kind. */
export const common = (frameSkip: number) => ({
  frameSkip: size(frameSkip, "Physics steps per environment step.", { within: "count" }),
  xmlFile: size<string | undefined>(undefined, "Custom model: the path of an MJCF file, or its text."),
});

/** An option with two bounds. */
export const bounds = (usual: string, about: string) =>
  size<Bounds | undefined>(undefined, `${about} Two numbers, null for no bound; ${usual} by default.`);

/** A reward weight. */
export const weight = (usual: number, about: string) => size(usual, about, { within: "any" });

/** Scale of the initial noise. */
export const noise = (usual: number) =>
  size(usual, "Scale of the noise on initial positions and velocities.", { within: "nonnegative" });

/** Whether the observation leaves out the body's position. */
export const excluded = (what: string) =>
  size(true, `Leaves ${what} out of the observation, because behaviour should not depend on position.`);

/** Rows and the time limit, which all environments have, besides the task's own options. */
export type TaskOptions<T extends OptionTable> = BatchedOptions & OptionsOf<T>;
type Filled<T extends OptionTable> = Required<OptionsOf<T>>;

/** The given options, with defaults for the others. */
export function settled<T extends OptionTable>(id: string, table: T, given: TaskOptions<T>): Filled<T> {
  checkOptions(id, table, given);
  const of = given as { readonly [name: string]: unknown };
  return Object.fromEntries(
    Object.entries(table).map(([name, option]) => [name, of[name] ?? option.default]),
  ) as Filled<T>;
}

/** The given bounds, or the defaults. */
export function rangeOf(
  id: string,
  name: string,
  given: Bounds | undefined,
  usual: readonly [number, number],
): readonly [low: number, high: number] {
  if (given === undefined) return usual;
  const isBound = (x: unknown) => x === null || (typeof x === "number" && x === x);
  if (!Array.isArray(given) || given.length !== 2 || !given.every(isBound))
    fail(id, `${name} is ${describeValue(given)}; use two numbers, such as ${JSON.stringify(usual)}.`);
  return [given[0] ?? Number.NEGATIVE_INFINITY, given[1] ?? Number.POSITIVE_INFINITY];
}

/** Starts near the model's own positions and at rest: uniform noise on both, or normal noise on velocities. */
export function shake(
  now: Simulation,
  random: Generator,
  scale: number,
  velocities: "uniform" | "normal",
): void {
  const { start } = now;
  const { qpos, qvel } = now.arrays;
  for (let i = 0; i < qpos.length; i++) qpos[i] = start[i] + random.uniform(-scale, scale);
  if (velocities === "uniform") for (let i = 0; i < qvel.length; i++) qvel[i] = random.uniform(-scale, scale);
  else for (let i = 0; i < qvel.length; i++) qvel[i] = scale * random.standardNormal();
}

/** Control cost: the sum of squares of the controls, which are the action. */
export function effort({ arrays: { ctrl } }: Simulation): number {
  return squares(ctrl);
}

/** The sum of squares. */
export function squares(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] * values[i];
  return sum;
}

/** Writes consecutive numbers from `from` on, and returns the next position. */
export function put(out: Float32Array, at: number, values: Float64Array, from = 0): number {
  for (let i = from; i < values.length; i++) out[at++] = values[i];
  return at;
}

/** Writes consecutive numbers, each clipped to two bounds. */
export function putClipped(
  out: Float32Array,
  at: number,
  values: Float64Array,
  low: number,
  high: number,
  from = 0,
): number {
  for (let i = from; i < values.length; i++) out[at++] = Math.min(high, Math.max(low, values[i]));
  return at;
}

/** The distance between two bodies, by index. */
export function distance({ arrays: { xpos } }: Simulation, a: number, b: number): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    const apart = xpos[3 * a + i] - xpos[3 * b + i];
    sum += apart * apart;
  }
  // A square root is the same on every machine, unlike Math.hypot.
  return Math.sqrt(sum);
}
