import {
  type AsyncEnv,
  type Env,
  fail,
  type OptionTable,
  type StepEnvironment,
  type VectorEnv,
} from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { single, vectorise } from "@reins/core/forms";
import { builtin } from "./builtin.ts";
import { allOptions, checkOptions } from "./options.ts";
import { refuseTraced } from "./traced-envs/alternatives.ts";
import { meantEnv } from "./unknown-id.ts";

/** A registered environment. */
export interface EnvEntry {
  /** Name and version, as in `CartPole-v1`. */
  readonly id: string;
  /** One sentence that describes the task. */
  readonly description?: string;
  /** Its options besides `rows` and `maxSteps`; if given, unknown options are rejected. */
  readonly options?: OptionTable;
  /** Asynchronous loading before the first episode, if needed. */
  readonly load?: () => Promise<void>;
  /** Makes one copy, which is then repeated for all rows; or a vector environment of `rows` rows. */
  readonly make: (options: MakeOptions) => Env | AsyncEnv | VectorEnv;
}

/** Options of every environment; most have further options. */
export interface MakeOptions {
  /** Copies of the environment; 1 by default. */
  readonly rows?: number;
  /** Maximum steps per episode before truncation, instead of the default. */
  readonly maxSteps?: number;
  readonly [name: string]: unknown;
}

/** The names of the built-in environments. */
export type BuiltinId = keyof typeof builtin;
type OptionsOf<Id> = Id extends BuiltinId
  ? NonNullable<Parameters<(typeof builtin)[Id]["make"]>[0]>
  : MakeOptions;

const added = new Map<string, EnvEntry>();

/**
 * Registers an environment by its id.
 *
 * register({ id: "Rocket-v0", make: () => new Rocket() });
 */
export function register(entry: EnvEntry): void {
  if (typeof entry?.id !== "string" || typeof entry.make !== "function")
    fail("register", `expected { id, make } and an optional description, got ${describeValue(entry)}.`);
  if (!/.-v\d+$/.test(entry.id))
    fail(
      "register",
      `"${entry.id}" has no version. Name it "${entry.id}-v0": a change of behaviour is a new version.`,
    );
  if (find(entry.id))
    fail(
      "register",
      `${entry.id} is already registered. A change of behaviour is a new version: raise the number.`,
    );
  added.set(entry.id, entry);
}

/** The ids of all environments, in order. */
export function ids(): string[] {
  return [...Object.keys(builtin), ...added.keys()].sort((a, b) => (a < b ? -1 : 1));
}

/** The description of an environment. */
export function describeEnv(id: string): string {
  return entryOf(id).description ?? "";
}

/** A vector environment with `rows` copies. */
export function make<Id extends BuiltinId | (string & {})>(id: Id, options?: OptionsOf<Id>): VectorEnv {
  return made(id, (options ?? {}) as MakeOptions);
}

/** An environment for algorithms and runs: its spec and its factory. */
export function source<Id extends BuiltinId | (string & {})>(
  id: Id,
  options?: Omit<OptionsOf<Id>, "rows">,
): StepEnvironment {
  const makeRows = (rows: number) => made(id, { ...(options as MakeOptions), rows });
  return { spec: makeRows(1).spec, make: makeRows };
}

/** One copy of an environment, with plain values. */
export function makeSingle<Id extends BuiltinId | (string & {})>(
  id: Id,
  options?: Omit<OptionsOf<Id>, "rows">,
): Env {
  return single(made(id, { ...(options as MakeOptions), rows: 1 }));
}

/**
 * Waits until an environment's dependencies are loaded: MuJoCo's engine for its environments, nothing for most.
 * Without it their first `reset` fails with instructions.
 */
export async function loadEnv(id: string): Promise<void> {
  await entryOf(id).load?.();
}

/** The options of an environment; undefined if not declared. */
export function envOptions(id: string): OptionTable | undefined {
  const { options } = entryOf(id);
  return options && allOptions(options);
}

function made(id: string, options: MakeOptions): VectorEnv {
  const entry = entryOf(id);
  if (options.traced !== undefined && entry.options && !("traced" in entry.options)) refuseTraced(id);
  if (entry.options) checkOptions(id, entry.options, options);
  const first = entry.make(options);
  if ("rows" in first) return first;
  const { rows = 1, maxSteps } = options;
  // A spec without a limit may leave maxSteps out.
  const longest = first.spec?.maxSteps ?? Number.POSITIVE_INFINITY;
  if (maxSteps !== undefined && longest !== maxSteps)
    fail(id, "it ignores maxSteps. Let its make({ maxSteps }) set spec.maxSteps.");
  // The first copy is one of the requested ones.
  return vectorise((i) => (i === 0 ? first : (entry.make(options) as Env | AsyncEnv)), rows);
}

function find(id: string): Omit<EnvEntry, "id"> | undefined {
  if (Object.hasOwn(builtin, id)) return builtin[id as BuiltinId] as Omit<EnvEntry, "id">;
  return added.get(id);
}

function entryOf(id: string): Omit<EnvEntry, "id"> {
  return find(id) ?? fail("make", `unknown environment ${id}.${unknownEnv(id)} ids() lists all of them.`);
}

/** Hint for an unknown name: other versions, similar names, or where to find it. */
export function unknownEnv(id: string): string {
  return meantEnv(String(id), ids());
}
