import {
  type AsyncEnv,
  type Env,
  fail,
  type OptionTable,
  type StepPlace,
  said,
  single,
  type VectorEnv,
  vectorise,
} from "@reins/core";
import { builtin } from "./builtin.ts";
import { allOptions, checkOptions } from "./options.ts";
import { refuseTraced } from "./traced/instead.ts";
import { meantEnv } from "./unknown.ts";

/** An environment that can be asked for by name. */
export interface EnvEntry {
  /** Name and version, as in `CartPole-v1`. */
  readonly id: string;
  /** One sentence: what is to be done. */
  readonly description?: string;
  /** Its options beside `rows` and `maxSteps`; where they are named, others are refused. */
  readonly options?: OptionTable;
  /** Loads what it needs before its first episode, where that takes time. */
  readonly load?: () => Promise<void>;
  /** One copy, which is then made as often as there are rows; or all `rows` of them, in columns. */
  readonly make: (options: MakeOptions) => Env | AsyncEnv | VectorEnv;
}

/** What every environment can be made with; most have options of their own. */
export interface MakeOptions {
  /** Copies of the environment; 1 if absent. */
  readonly rows?: number;
  /** Steps after which an episode is truncated, instead of the usual number. */
  readonly maxSteps?: number;
  readonly [name: string]: unknown;
}

/** The names of the environments that ship with Reins. */
export type BuiltinId = keyof typeof builtin;
type OptionsOf<Id> = Id extends BuiltinId
  ? NonNullable<Parameters<(typeof builtin)[Id]["make"]>[0]>
  : MakeOptions;

const added = new Map<string, EnvEntry>();

/**
 * Makes an environment known by its id.
 *
 *     register({ id: "Rocket-v0", make: () => new Rocket() });
 */
export function register(entry: EnvEntry): void {
  if (typeof entry?.id !== "string" || typeof entry.make !== "function")
    fail("register", `it takes { id, make }, and a description; this is ${said(entry)}.`);
  if (!/.-v\d+$/.test(entry.id))
    fail(
      "register",
      `"${entry.id}" has no version. Call it "${entry.id}-v0": a change of behaviour is a new version.`,
    );
  if (find(entry.id))
    fail("register", `${entry.id} exists already. A change of behaviour is a new version: raise the number.`);
  added.set(entry.id, entry);
}

/** The ids of all environments, in order. */
export function ids(): string[] {
  return [...Object.keys(builtin), ...added.keys()].sort((a, b) => (a < b ? -1 : 1));
}

/** What an environment is about. */
export function describeEnv(id: string): string {
  return entryOf(id).description ?? "";
}

/** `rows` copies of an environment, in columns. */
export function make<Id extends BuiltinId | (string & {})>(id: Id, options?: OptionsOf<Id>): VectorEnv {
  return made(id, (options ?? {}) as MakeOptions);
}

/** An environment as algorithms and runs want it: what it is, and how to make some. */
export function source<Id extends BuiltinId | (string & {})>(
  id: Id,
  options?: Omit<OptionsOf<Id>, "rows">,
): StepPlace {
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
 * Waits until what an environment needs is loaded: nothing for most, an engine for those in MuJoCo. Without it their first `reset` says
 * what to wait for.
 */
export async function loadEnv(id: string): Promise<void> {
  await entryOf(id).load?.();
}

/** The options that an environment has; undefined where nobody said. */
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
  if (maxSteps !== undefined && first.spec?.maxSteps !== maxSteps)
    fail(id, "it does not heed maxSteps. Let its make({ maxSteps }) put that into its spec.");
  // The first copy is one of those that were asked for.
  return vectorise((i) => (i === 0 ? first : (entry.make(options) as Env | AsyncEnv)), rows);
}

function find(id: string): Omit<EnvEntry, "id"> | undefined {
  if (Object.hasOwn(builtin, id)) return builtin[id as BuiltinId] as Omit<EnvEntry, "id">;
  return added.get(id);
}

function entryOf(id: string): Omit<EnvEntry, "id"> {
  return find(id) ?? fail("make", `there is no ${id}.${unknownEnv(id)} ids() lists all of them.`);
}

/** What to say of a name that no environment has: other versions, what is near, or that it is not here yet. */
export function unknownEnv(id: string): string {
  return meantEnv(String(id), ids());
}
