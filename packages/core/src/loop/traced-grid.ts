import { add, or, random, scan, type Tensor, type Tree, where, zeros } from "@reins/tensor";
import type { EnvSpec, TracedRows } from "../env.ts";
import { choose } from "../forms/traced-step.ts";
import type { ActingPolicy } from "../policy.ts";
import type { GridColumns, RolloutState } from "./step-rollout.ts";
import { forEachHead } from "./value-heads.ts";

/** Policy, environment and rollout length. */
export interface TracedPlay {
  readonly policy: ActingPolicy;
  readonly spec: EnvSpec;
  readonly rows: TracedRows;
  readonly steps: number;
}

/** Weights, the environment's parameters, and where the rollout starts. */
export interface TracedStart {
  readonly weights: Tree;
  readonly params: Tree;
  readonly at: RolloutState;
  readonly key: Tensor;
}

/**
 * Runs a policy in a traced environment as part of a larger function, and returns the grid that `StepRollout` would have filled step by
 * step, bit for bit (except for `bootstrap` without a truncation, which is never read).
 */
export function playGrid(
  { policy, spec, rows, steps }: TracedPlay,
  { weights, params, at, key }: TracedStart,
): { readonly at: RolloutState; readonly grid: GridColumns } {
  type Kept = { observation: Tree; state: Tree };
  const value = policy.value && spec.maxSteps !== undefined ? policy.value.bind(policy) : undefined;
  // Episodes are truncated after `maxSteps`, so a row is truncated at most once in a grid of at most that length: one slot per row suffices.
  const once = value !== undefined && steps <= (spec.maxSteps as number);
  const valueOf = ({ observation, state }: Kept) => value!(weights, { observation }, state);
  const { carry, ys } = scan(
    ({ now, kept }: { now: RolloutState; kept: Kept }, _: undefined) => {
      const { observation, first } = now;
      const acted = policy.act(weights, { observation, first }, now.state, random.foldKey(key, now.counter));
      const { state, ...made } = acted;
      const went = rows.step(now.env, params, made.action);
      const { reward, terminated, truncated } = went;
      const end: Kept = { observation: went.final, state };
      const next: RolloutState = {
        env: went.carry,
        observation: went.observation,
        first: or(terminated, truncated),
        state,
        counter: add(now.counter, 1),
      };
      const column = {
        ...made,
        observation,
        first,
        reward,
        terminated,
        truncated,
        ...(value && !once ? { bootstrap: valueOf(end) } : {}),
      };
      return [
        { now: next, kept: once ? (choose(truncated, end, kept, kept) as Kept) : kept },
        column as Tree,
      ] as const;
    },
    {
      now: at,
      kept: (once ? { observation: at.observation, state: at.state } : {}) as Kept,
    },
    undefined,
    { length: steps },
  );
  const grid = ys as GridColumns;
  const last = once ? valueOf(carry.kept) : undefined;
  const bootstrap = last
    ? where(forEachHead(grid.truncated, 1 + last.rank), last, 0)
    : (grid.bootstrap ?? zeros(grid.reward.shape.slice(0, 2)));
  return { at: carry.now, grid: { ...grid, bootstrap } };
}
