import {
  add,
  concat,
  div,
  mean,
  mul,
  or,
  reshape,
  slice,
  sub,
  type Tensor,
  type Tree,
  treeMap,
  where,
} from "@reins/tensor";
import type { Columns } from "../batch.ts";
import type { Improved, Learned } from "../learner.ts";
import type { Scoring } from "../policy.ts";
import type { Stretch, Target } from "../target.ts";
import { type Learning, learnFrom } from "./learn-from.ts";
import type { GridColumns, Upcoming } from "./step-rollout.ts";

/** How a policy learns from a grid of steps. */
export interface GridUpdate extends Learning {
  readonly target: Target<Stretch & Columns>;
}

/** Targets from the grid, then minibatches in a loop: pure, so that it compiles into one call. */
export function gridUpdate(
  parts: GridUpdate,
  policy: Scoring,
  learned: Learned,
  grid: GridColumns,
  last: Upcoming,
  start: Tree,
  key: Tensor,
): Improved<Learned> {
  const [time, rows] = grid.reward.shape;
  const columns = targetsOf(parts, policy, learned.weights, grid, last);
  // With memory a minibatch is a set of whole rows; without, any set of steps.
  const flat: Columns = policy.memory
    ? columns
    : (treeMap((t) => reshape(t, [time * rows, ...t.shape.slice(2)]), columns as Tree) as Columns);
  const learnt = learnFrom(parts, policy, learned, flat, start, key);
  if (!columns.value || !columns.return) return learnt;
  const share = explained(columns.value as Tensor, columns.return as Tensor);
  return { ...learnt, metrics: { ...learnt.metrics, "value/explained": share } };
}

/** The grid with its targets. */
export function targetsOf(
  { target }: GridUpdate,
  policy: Scoring,
  weights: Tree,
  grid: GridColumns,
  last: Upcoming,
): Columns {
  const stretch = { ...grid, ...stretchOf(policy, weights, grid, last) };
  return { ...stretch, ...target(stretch as Stretch & Columns) };
}

/** Where episodes ended, and the value of the state that each step led to. */
function stretchOf(policy: Scoring, weights: Tree, grid: GridColumns, last: Upcoming) {
  const done = or(grid.terminated, grid.truncated);
  if (!policy.value || !grid.value) return { done };
  const [time, rows] = grid.reward.shape;
  const final = reshape(policy.value(weights, last.view, last.state), [1, rows]);
  const shifted = time === 1 ? final : concat([slice(grid.value, [[1, time]]), final]);
  return { done, nextValue: where(grid.truncated, grid.bootstrap, shifted) };
}

/** How much of the returns' variance the critic explained: 1 is all of it, 0 no more than their mean would, below 0 less. */
function explained(value: Tensor, target: Tensor): Tensor {
  const rest = sub(target, value);
  const off = sub(rest, mean(rest));
  const centred = sub(target, mean(target));
  return sub(1, div(mean(mul(off, off)), add(mean(mul(centred, centred)), 1e-8)));
}
