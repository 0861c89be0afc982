import {
  add,
  concat,
  div,
  exp,
  mean,
  mul,
  or,
  random,
  reshape,
  scalar,
  scan,
  slice,
  sub,
  type Tensor,
  type Tree,
  treeMap,
  where,
} from "@reins/tensor";
import type { Columns } from "../batch.ts";
import type { TrainState, UpdateResult } from "../learner.ts";
import type { ScoringPolicy } from "../policy.ts";
import { recordedStep } from "../recorded-step.ts";
import type { Fragment, Target } from "../target.ts";
import { meanWhere } from "./gradient.ts";
import { type Learning, learnFrom, passesOf } from "./learn-from.ts";
import type { GridColumns, Upcoming } from "./step-rollout.ts";
import { forEachHead, overHeads } from "./value-heads.ts";

/** How a policy learns from a grid of steps. */
export interface GridUpdate extends Learning {
  readonly target: Target<Fragment & Columns>;
  /**
   * Recomputes targets before each pass, with the grid scored by the current weights: `value` is theirs, and `ratio` is the importance
   * ratio of the current to the behaviour policy. For targets that correct for stale weights, such as V-trace.
   */
  readonly rescore?: boolean;
  /** An update on columns with targets other than gradient descent in minibatches. Pure. */
  readonly learn?: typeof learnFrom;
}

/** A grid of steps that a policy has taken. */
export interface PlayedGrid {
  readonly policy: ScoringPolicy;
  readonly grid: GridColumns;
  /** The states that follow the last steps. */
  readonly upcoming: Upcoming;
  /** Recurrent state at the start of each row, for policies with memory. */
  readonly start?: Tree;
}

/** A played grid with the state of training and a random key. */
export interface GridUpdateInput extends PlayedGrid {
  readonly learned: TrainState;
  readonly key: Tensor;
}

/** Targets from the grid, then minibatches in a loop: pure, so that it compiles into one call. */
export function gridUpdate(
  parts: GridUpdate,
  { learned, key, ...played }: GridUpdateInput,
): UpdateResult<TrainState> {
  const { learn = learnFrom, rescore = false } = parts;
  const { policy, start } = played;
  const epochs = passesOf(parts);
  const pass = (now: TrainState, how: GridUpdate, own: Tensor): UpdateResult<TrainState> => {
    const columns = targetsOf(parts, now.weights, played);
    const learnt = learn(how, { policy, learned: now, columns: inRows(policy, columns), start, key: own });
    if (!columns.value || !columns.return) return learnt;
    const [value, target] = [columns.value, columns.return].map((t) => overHeads(t as Tensor, 2));
    const share = explained(value, target, columns.alive as Tensor | undefined);
    return { ...learnt, metrics: { ...learnt.metrics, "value/explained": share } };
  };
  if (!rescore || epochs === 1) return pass(learned, parts, key);
  const { carry, ys } = scan(
    ({ now, count }: { now: TrainState; count: Tensor }, _: undefined) => {
      const { state, metrics } = pass(now, { ...parts, epochs: 1 }, random.foldKey(key, count));
      return [{ now: state, count: add(count, 1) }, metrics] as const;
    },
    { now: learned, count: scalar(0, "i32") },
    undefined,
    { length: epochs },
  );
  return {
    state: carry.now,
    metrics: Object.fromEntries(Object.entries(ys).map(([n, t]) => [n, mean(t)])),
  };
}

/** Columns in the units of minibatches: whole rows with memory, single steps without. */
export function inRows(policy: ScoringPolicy, columns: Columns): Columns {
  if (policy.memory) return columns;
  return treeMap((t) => reshape(t, [-1, ...t.shape.slice(2)]), columns as Tree) as Columns;
}

/** The grid scored by these weights; `ratio` is their importance ratio to the behaviour policy. */
function scoreGrid(
  weights: Tree,
  { policy, grid, start }: PlayedGrid,
): GridColumns & { readonly ratio?: Tensor } {
  const { logProb, value } = policy.score(
    weights,
    recordedStep(inRows(policy, grid), policy.memory ? start : undefined),
  );
  const like = (t: Tensor) => reshape(t, grid.reward.shape.slice(0, 2));
  return {
    ...grid,
    ...(value ? { value: reshape(value, grid.value?.shape ?? grid.reward.shape.slice(0, 2)) } : {}),
    ...(grid.logProb ? { ratio: exp(sub(like(logProb), grid.logProb)) } : {}),
  };
}

/** The grid with its targets. */
export function targetsOf(
  { target, rescore = false }: GridUpdate,
  weights: Tree,
  played: PlayedGrid,
): Columns {
  const grid = rescore ? scoreGrid(weights, played) : played.grid;
  const stretch = { ...grid, ...stretchOf(weights, { ...played, grid }) };
  return { ...stretch, ...target(stretch as Fragment & Columns) };
}

/** Ends of episodes, and the value of the state that each step led to. */
function stretchOf(weights: Tree, { policy, grid, upcoming }: PlayedGrid) {
  const done = or(grid.terminated, grid.truncated);
  if (!policy.value || !grid.value) return { done };
  const [time, ...step] = grid.value.shape;
  const final = reshape(policy.value(weights, upcoming.view, upcoming.state), [1, ...step]);
  const shifted = time === 1 ? final : concat([slice(grid.value, [[1, time]]), final]);
  return { done, nextValue: where(forEachHead(grid.truncated, grid.value.rank), grid.bootstrap, shifted) };
}

/** Explained variance of the returns by the critic, over steps in which agents act: 1 for a perfect critic, 0 for one as good as their mean, below 0 for a worse one. */
function explained(value: Tensor, target: Tensor, alive: Tensor | undefined): Tensor {
  const average = (x: Tensor) => (alive ? meanWhere(alive, x) : mean(x));
  const rest = sub(target, value);
  const off = sub(rest, average(rest));
  const centred = sub(target, average(target));
  return sub(1, div(average(mul(off, off)), add(average(mul(centred, centred)), 1e-8)));
}
