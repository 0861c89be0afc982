import { Tensor, type Tree, tensor } from "@reins/tensor";
import type { Columns } from "./batch.ts";
import type { VectorEnv } from "./env.ts";
import { fail } from "./errors.ts";

/** What a policy sees: columns with leading axes [rows] or [time, rows]. */
export type View = {
  readonly observation: Tree;
  /** bool: allowed choices. */
  readonly mask?: Tree;
  /** bool: this step begins an episode. Policies with memory forget there. */
  readonly first?: Tensor;
  /** i32: the slot of the row's agent, in environments with several. */
  readonly agent?: Tensor;
  /** The whole of the game, where the environment shows it: for critics. Whoever acts must do without. */
  readonly global?: Tree;
};

/** A step as it was recorded: what was seen, what was done, and how it came about. Columns with leading axes as those of the view. */
export type Moment<S extends Tree = Tree> = {
  readonly view: View;
  readonly action: Tree;
  /** What made the action, where the policy gave it. */
  readonly trace?: Tree;
  /** bool: the steps that count. What is said of the others is not looked at, and may be 0. */
  readonly alive?: Tensor;
  /** What parts of the policy draw from that are random while they learn; none where it is only asked. */
  readonly key?: Tensor;
  /** What the policy carried when the steps began: needed with memory, where the view is [time, rows]. */
  readonly state?: S;
};

/** What a policy sees of an environment: its columns where they lie. `first` is kept by who plays. */
export function viewOf({ observation, mask, global, spec, rows }: VectorEnv, first?: Tensor): View {
  const slots = spec.agents?.names.length;
  const agent = slots && tensor(Int32Array.from({ length: rows }, (_, i) => i % slots));
  return {
    observation,
    ...(mask ? { mask } : {}),
    ...(first ? { first } : {}),
    ...(agent ? { agent } : {}),
    ...(global ? { global } : {}),
  };
}

/** The moments that columns record, by the names that all rollouts give them. */
export function momentOf<S extends Tree>(columns: Columns, state?: S): Moment<S> {
  const { observation, mask, global, action, trace } = columns;
  const view = { observation, mask, global, first: flag(columns, "first"), agent: flag(columns, "agent") };
  return { view, action, trace, alive: flag(columns, "alive"), state };
}

/** A column that is one tensor, where it is there. */
function flag(columns: Columns, name: string): Tensor | undefined {
  const column = columns[name];
  if (column === undefined || column === null || column instanceof Tensor) return column ?? undefined;
  return fail("moment", `column \`${name}\` must be one tensor; it has parts.`);
}
