import { add, or, random, scan, type Tensor, type Tree, where, zeros } from "@reins/tensor";
import type { EnvSpec, TracedRows } from "../env.ts";
import { choose } from "../forms/traced-step.ts";
import type { Acting } from "../policy.ts";
import type { GridColumns, Standing } from "./step-rollout.ts";
import { forEachHead } from "./value-heads.ts";

/** Who plays where, and for how long. */
export interface TracedPlay {
  readonly policy: Acting;
  readonly spec: EnvSpec;
  readonly rows: TracedRows;
  readonly steps: number;
}

/**
 * Plays a policy in a traced environment as part of a larger function, and gives the grid that `StepRollout` would have filled step by step,
 * to the last bit (but for `bootstrap` where nothing was truncated, which nobody reads).
 */
export function playGrid(
  { policy, spec, rows, steps }: TracedPlay,
  weights: Tree,
  params: Tree,
  at: Standing,
  key: Tensor,
): { readonly at: Standing; readonly grid: GridColumns } {
  type Kept = { observation: Tree; state: Tree };
  const value = policy.value && spec.maxSteps !== undefined ? policy.value.bind(policy) : undefined;
  // An episode is cut off after `maxSteps`, so no row is cut off twice in a grid that is no longer: one place a row is enough.
  const once = value !== undefined && steps <= (spec.maxSteps as number);
  const worth = ({ observation, state }: Kept) => value!(weights, { observation }, state);
  const { carry, ys } = scan(
    ({ now, kept }: { now: Standing; kept: Kept }, _: undefined) => {
      const { observation, first } = now;
      const acted = policy.act(weights, { observation, first }, now.state, random.foldKey(key, now.counter));
      const { state, ...made } = acted;
      const went = rows.step(now.env, params, made.action);
      const { reward, terminated, truncated } = went;
      const end: Kept = { observation: went.final, state };
      const next: Standing = {
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
        ...(value && !once ? { bootstrap: worth(end) } : {}),
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
  const last = once ? worth(carry.kept) : undefined;
  const bootstrap = last
    ? where(forEachHead(grid.truncated, 1 + last.rank), last, 0)
    : (grid.bootstrap ?? zeros(grid.reward.shape.slice(0, 2)));
  return { at: carry.now, grid: { ...grid, bootstrap } };
}
