import {
  add,
  concat,
  div,
  mean,
  mul,
  or,
  random,
  reshape,
  scalar,
  scan,
  slice,
  stack,
  std,
  sub,
  take,
  type Tensor,
  type Tree,
  treeMap,
  where,
} from "@reins/tensor";
import type { Learned } from "../learner.ts";
import type { Term } from "../loss.ts";
import type { nn } from "../nn.ts";
import type { Policy, View } from "../policy.ts";
import type { Live } from "../signals/live.ts";
import type { Columns, Stretch } from "../target.ts";
import { gradientNorm, inChunks, lossGradient, shorten } from "./gradient.ts";
import { shuffled } from "./shuffle.ts";
import type { GridColumns } from "./step-rollout.ts";

/** How a policy learns from a grid of steps. */
export interface GridUpdate {
  readonly target: (stretch: Stretch & Columns) => { readonly [name: string]: Tensor };
  readonly loss: Term;
  readonly optimiser: nn.Optimiser;
  readonly learningRate: number | Live;
  /** Longest gradient; longer ones are shortened. */
  readonly clipNorm?: number | Live;
  /** Passes over a batch. */
  readonly epochs: number;
  /** Parts into which each pass is cut. */
  readonly minibatches: number;
  /** Over what advantages are brought to mean 0 and deviation 1. */
  readonly normalise: "minibatch" | "batch" | "none";
}

/** Targets from the grid, then minibatches in a loop: pure, so that it compiles into one call. */
export function gridUpdate(
  parts: GridUpdate,
  policy: Policy,
  { weights, optimiser }: Learned,
  grid: GridColumns,
  last: View,
  start: Tree,
  key: Tensor,
): Learned & { metrics: Record<string, Tensor> } {
  const { epochs, minibatches, normalise, loss } = parts;
  const [time, rows] = grid.reward.shape;
  const columns: Record<string, Tree> = { ...grid, ...stretchOf(policy, weights, grid, last, start) };
  Object.assign(columns, parts.target(columns as unknown as Stretch & Columns));
  if (normalise === "batch") columns.advantage = standardise(columns.advantage as Tensor)(columns.advantage as Tensor);

  // With memory a minibatch is a set of whole rows; without, any set of steps.
  const sequences = policy.memory ?? false;
  const units = sequences ? rows : time * rows;
  const flat: Columns = sequences
    ? columns
    : (treeMap((t) => reshape(t, [units, ...t.shape.slice(2)]), columns as Tree) as Columns);
  const choose = (t: Tensor, order: Tensor | undefined, axis = sequences ? 1 : 0) =>
    order ? take(t, order, axis) : t;
  const [shuffleKey, lossKey] = random.splitKey(key, 2);

  const learn = (carry: Learned & { count: Tensor }, order: Tensor | undefined) => {
    const advantage = flat.advantage as Tensor | undefined;
    const scale = normalise === "minibatch" && advantage && standardise(choose(advantage, order));
    const state = sequences ? treeMap((t) => choose(t, order, 0), start) : undefined;
    const lossOf = (some: Tensor | undefined) => {
      const minibatch = treeMap((t) => choose(t, some), flat as Tree) as Record<string, Tree>;
      if (scale) minibatch.advantage = scale(minibatch.advantage as Tensor);
      return lossGradient(loss, policy, carry.weights, minibatch, state, random.foldKey(lossKey, carry.count));
    };
    const whole = !order || sequences || grid.alive;
    const { value, gradient, reported } = whole ? lossOf(order) : inChunks(lossOf, order);
    const norm = gradientNorm(gradient);
    const next = parts.optimiser.update(
      parts.clipNorm === undefined ? gradient : shorten(gradient, norm, read(parts.clipNorm)),
      carry.optimiser,
      carry.weights,
      { learningRate: read(parts.learningRate) },
    );
    return [
      { weights: next.params, optimiser: next.state, count: add(carry.count, 1) },
      { ...reported, "loss/total": value, "gradient/norm": norm },
    ] as const;
  };

  const first = { weights, optimiser, count: scalar(0, "i32") };
  const orders = () =>
    reshape(
      stack(Array.from({ length: epochs }, (_, e) => shuffled(random.foldKey(shuffleKey, e), units))),
      [epochs * minibatches, units / minibatches],
    );
  const { carry, ys } =
    // One minibatch an epoch needs no order.
    minibatches === 1
      ? scan((c: typeof first, _: undefined) => learn(c, undefined), first, undefined, { length: epochs })
      : scan(learn, first, orders());
  const metrics = Object.fromEntries(Object.entries(ys).map(([n, t]) => [n, mean(t)]));
  if (columns.value && columns.return)
    metrics["value/explained"] = explained(columns.value as Tensor, columns.return as Tensor);
  return { weights: carry.weights, optimiser: carry.optimiser, metrics };
}

const read = (s: number | Live) => (typeof s === "number" ? s : s.tensor);

/** A function that brings numbers to mean 0 and deviation 1, as measured on `of`. */
function standardise(of: Tensor): (x: Tensor) => Tensor {
  const [middle, spread] = [mean(of), add(std(of), 1e-8)];
  return (x) => div(sub(x, middle), spread);
}

/** Where episodes ended, and the value of the state that each step led to. */
function stretchOf(policy: Policy, weights: Tree, grid: GridColumns, last: View, start: Tree) {
  const done = or(grid.terminated, grid.truncated);
  if (!policy.value || !grid.value) return { done };
  const [time, rows] = grid.reward.shape;
  const final = reshape(policy.value(weights, last, start), [1, rows]);
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
