import type { Drawing } from "../drawing.ts";
import type { EnvSpec } from "../env.ts";
import { fail } from "../errors.ts";
import type { Snapshot } from "../snapshot.ts";
import { kindOf } from "../spaces/numbers.ts";
import { show } from "../spaces/show.ts";
import type { Rows } from "./rows.ts";

/** What copies of an environment have in common, whether they hold one agent or several. */
export interface Copy {
  readonly spec: EnvSpec;
  readonly mask?: unknown;
  save?(): Snapshot;
  restore?(from: Snapshot): void;
  render?(): string;
  picture?(): Drawing;
  close?(): void;
}

/** Makes the copies, and refuses those that are not copies of one environment. */
export function copiesOf<E extends Copy>(what: string, make: (index: number) => E, copies: number): E[] {
  if (!Number.isInteger(copies) || copies < 1)
    fail(what, `the number of copies is ${copies}; it must be a whole number from 1 on.`);
  const envs = Array.from({ length: copies }, (_, i) => make(i));
  const first = describe(envs[0].spec);
  if (new Set(envs).size !== copies)
    fail(envs[0].spec.id, `${what}() was given the same object twice. Make a new environment for each copy.`);
  envs.forEach(({ spec }, i) => {
    if (describe(spec) !== first)
      fail(what, `copies differ: copy 0 is ${first}, copy ${i} is ${describe(spec)}.`);
  });
  return envs;
}

/** Fails unless every copy can save itself. */
export function requireSaves(envs: readonly Copy[]): void {
  const { spec, save, restore } = envs[0];
  if (!save || !restore)
    fail(
      spec.id,
      "this environment cannot be saved. Give it save() and restore(), or run it without checkpoints.",
    );
}

/** Names the row in which an environment threw an error of its own. */
export function threw(rows: Rows, row: number, call: string, error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  const { id } = rows.spec;
  const own = message.startsWith(`${id}: `) ? message.slice(id.length + 2) : message;
  return rows.fault(row, `${call}() failed: ${own}`, error);
}

/** Fails unless `reset` or `step` gave back an object with the parts it should have. */
export function requireResult(rows: Rows, row: number, call: string, result: unknown, parts: string): void {
  if (result instanceof Promise)
    rows.fault(
      row,
      `${call}() is asynchronous. Environments with several agents answer at once; await inside a Rollout instead.`,
    );
  if (typeof result !== "object" || result === null || Array.isArray(result) || ArrayBuffer.isView(result))
    rows.fault(row, `${call}() gave back ${kindOf(result)}; it must be ${parts}.`);
}

/** Fails unless a flag is a boolean: old environments give back one `done`. */
export function requireFlag(rows: Rows, row: number, name: string, flag: unknown): asserts flag is boolean {
  if (typeof flag !== "boolean")
    rows.fault(row, `step() gave back ${kindOf(flag)} as \`${name}\`; it must be true or false.`);
}

/** Fails unless a list has one entry for each agent. */
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
