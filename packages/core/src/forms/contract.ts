import type { Rendering } from "../drawing.ts";
import type { EnvSpec } from "../env.ts";
import { fail } from "../errors.ts";
import type { Snapshot } from "../snapshot.ts";
import { kindOf } from "../spaces/numbers.ts";
import { show } from "../spaces/show.ts";
import type { Rows } from "./rows.ts";

/** What copies of an environment have in common, with one agent or several. */
export interface Copy {
  readonly spec: EnvSpec;
  readonly mask?: unknown;
  save?(): Snapshot;
  restore?(from: Snapshot): void;
  render?(): string;
  picture?(): Rendering;
  close?(): void;
}

/** Makes the copies, and throws if they are not copies of one environment. */
export function copiesOf<E extends Copy>(what: string, make: (index: number) => E, copies: number): E[] {
  if (!Number.isInteger(copies) || copies < 1)
    fail(what, `the number of copies is ${copies}; it must be a whole number from 1.`);
  const envs = Array.from({ length: copies }, (_, i) => make(i));
  const first = describe(envs[0].spec);
  if (new Set(envs).size !== copies)
    fail(envs[0].spec.id, `${what}() got the same object twice. Make a new environment for each copy.`);
  envs.forEach(({ spec }, i) => {
    if (describe(spec) !== first)
      fail(
        what,
        `copies differ: copy 0 is ${first}, copy ${i} is ${describe(spec)}. Give all copies the same spaces.`,
      );
  });
  return envs;
}

/** Throws unless every copy can be saved. */
export function requireSaves(envs: readonly Copy[]): void {
  const { spec, save, restore } = envs[0];
  if (!save || !restore)
    fail(
      spec.id,
      "this environment cannot be saved. Implement save() and restore(), or run it without checkpoints.",
    );
}

/** Adds the row to an error that an environment threw. */
export function environmentFailed(rows: Rows, row: number, call: string, error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  const { id } = rows.spec;
  const own = message.startsWith(`${id}: `) ? message.slice(id.length + 2) : message;
  return rows.fault(row, `${call}() failed: ${own}`, error);
}

/** Throws unless `reset` or `step` returned an object with the required parts. */
export function requireResult(rows: Rows, row: number, call: string, result: unknown, parts: string): void {
  if (result instanceof Promise)
    rows.fault(
      row,
      `${call}() is asynchronous. Multi-agent environments must be synchronous; await inside a Rollout instead.`,
    );
  if (typeof result !== "object" || result === null || Array.isArray(result) || ArrayBuffer.isView(result))
    rows.fault(row, `${call}() returned ${kindOf(result)}; it must be ${parts}.`);
}

/** Throws unless a flag is a boolean: old environments return one `done`. */
export function requireFlag(rows: Rows, row: number, name: string, flag: unknown): asserts flag is boolean {
  if (typeof flag !== "boolean")
    rows.fault(row, `step() returned ${kindOf(flag)} as \`${name}\`; it must be true or false.`);
}

/** Throws unless a list has one entry per agent. */
export function requireSlots(rows: Rows, row: number, name: string, list: unknown): void {
  const agents = rows.spec.agents!.names.length;
  if ((list as ArrayLike<unknown> | undefined)?.length !== agents)
    rows.fault(
      row,
      `\`${name}\` is ${kindOf(list)}; it must have one entry for each of the ${agents} agents.`,
    );
}

function describe(spec: EnvSpec): string {
  return `${spec.id} (${show(spec.observation)}, ${show(spec.action)})`;
}
