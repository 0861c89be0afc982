import { didYouMean, type Env, fail, type StepPlace, single, type VectorEnv } from "@reins/core";
import { builtin } from "./builtin.ts";

/** An environment that can be asked for by name. */
export interface EnvEntry {
  /** Name and version, as in `CartPole-v1`. */
  readonly id: string;
  /** One sentence: what is to be done. */
  readonly description: string;
  readonly make: (options: MakeOptions) => VectorEnv;
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

/** Makes an environment known by its id. */
export function register(entry: EnvEntry): void {
  if (!split(entry.id))
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
  return entryOf(id).description;
}

/** `rows` copies of an environment, in columns. */
export function make<Id extends BuiltinId | (string & {})>(id: Id, options?: OptionsOf<Id>): VectorEnv {
  return entryOf(id).make((options ?? {}) as MakeOptions);
}

/** An environment as algorithms and runs want it: what it is, and how to make some. */
export function source<Id extends BuiltinId | (string & {})>(
  id: Id,
  options?: Omit<OptionsOf<Id>, "rows">,
): StepPlace {
  const makeRows = (rows: number) => entryOf(id).make({ ...(options as MakeOptions), rows });
  return { spec: makeRows(1).spec, make: makeRows };
}

/** One copy of an environment, with plain values. */
export function makeSingle<Id extends BuiltinId | (string & {})>(
  id: Id,
  options?: Omit<OptionsOf<Id>, "rows">,
): Env {
  return single(entryOf(id).make({ ...(options as MakeOptions), rows: 1 }));
}

function find(id: string): Omit<EnvEntry, "id"> | undefined {
  if (Object.hasOwn(builtin, id)) return builtin[id as BuiltinId] as Omit<EnvEntry, "id">;
  return added.get(id);
}

function entryOf(id: string): Omit<EnvEntry, "id"> {
  const entry = find(id);
  if (entry) return entry;
  const name = split(id)?.name ?? id;
  const versions = ids()
    .map((known) => ({ known, parts: split(known)! }))
    .filter(({ parts }) => parts.name.toLowerCase() === name.toLowerCase())
    .sort((a, b) => a.parts.version - b.parts.version)
    .map(({ known }) => known);
  if (versions.length) return fail("make", `there is no ${id}. There is ${versions.join(" and ")}.`);
  return fail("make", `there is no ${id}.${didYouMean(id, ids())} ids() lists all of them.`);
}

function split(id: string): { name: string; version: number } | undefined {
  const match = /^(.+)-v(\d+)$/.exec(id);
  return match ? { name: match[1], version: Number(match[2]) } : undefined;
}
