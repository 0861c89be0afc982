import { Tensor, type Tree, tensor } from "@reins/tensor";
import type { Columns } from "./batch.ts";
import type { VectorEnv } from "./env.ts";
import { fail } from "./errors.ts";

/** A policy's input: columns with leading axes [rows] or [time, rows]. */
export type PolicyInput = {
  readonly observation: Tree;
  /** bool: allowed choices. */
  readonly mask?: Tree;
  /** bool: this step begins an episode. Recurrent policies reset their state there. */
  readonly first?: Tensor;
  /** i32: the slot of the row's agent, in multi-agent environments. */
  readonly agent?: Tensor;
  /** The global state, if the environment provides it: for critics only, not available to the actor. */
  readonly global?: Tree;
};

/** A recorded step: observation, action, and how the action was made. Columns have the same leading axes as the view. */
export type RecordedStep<S extends Tree = Tree> = {
  readonly view: PolicyInput;
  readonly action: Tree;
  /** How the action was made, if the policy returned it. */
  readonly trace?: Tree;
  /** bool: which steps enter the loss; scores of the others are ignored. */
  readonly alive?: Tensor;
  /** Key for the random parts of the policy during training, such as dropout; absent otherwise. */
  readonly key?: Tensor;
  /** Recurrent state at the first step; needed if the policy has memory and the view is [time, rows]. */
  readonly state?: S;
};

/** A policy's view of an environment, without copying. The caller maintains `first`. */
export function policyInput(
  { observation, mask, global, spec, rows }: VectorEnv,
  first?: Tensor,
): PolicyInput {
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

/** Writes to `first` in which rows the observation is the first of an episode. */
export function markBeginnings(env: VectorEnv, { data: first }: Tensor): void {
  const begins = env.begins?.data;
  const terminated = env.terminated.data;
  const truncated = env.truncated.data;
  for (let i = 0; i < first.length; i++) first[i] = begins ? begins[i] : terminated[i] | truncated[i];
}

/** Recorded steps from columns, by the names that all rollouts use. */
export function recordedStep<S extends Tree>(columns: Columns, state?: S): RecordedStep<S> {
  const { observation, mask, global, action, trace } = columns;
  const view = { observation, mask, global, first: flag(columns, "first"), agent: flag(columns, "agent") };
  return { view, action, trace, alive: flag(columns, "alive"), state };
}

/** A column that must be one tensor, if present. */
function flag(columns: Columns, name: string): Tensor | undefined {
  const column = columns[name];
  if (column === undefined || column === null || column instanceof Tensor) return column ?? undefined;
  return fail("recordedStep", `column \`${name}\` must be one tensor, not a tree.`);
}
