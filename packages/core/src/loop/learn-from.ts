import {
  add,
  cast,
  div,
  gt,
  iota,
  leaves,
  mean,
  or,
  random,
  reshape,
  scalar,
  scan,
  slice,
  sqrt,
  square,
  stack,
  std,
  sub,
  type Tensor,
  type Tree,
  take,
  treeMap,
  where,
  zeros,
} from "@reins/tensor";
import type { Columns } from "../batch.ts";
import type { Improved, Learned } from "../learner.ts";
import type { Term } from "../loss.ts";
import type { Scoring } from "../policy.ts";
import { type Live, type Scalar, valueOf } from "../signals/live.ts";
import { gradientNorm, inChunks, inParts, lossGradient, meanWhere } from "./gradient.ts";
import { improve, type Pace } from "./improve.ts";
import { shuffled } from "./shuffle.ts";

/** How a policy learns from columns whose targets are known. */
export interface Learning extends Pace {
  readonly loss: Term;
  /** Stops learning from a batch when a minibatch shows that the policy has moved this far (metric `policy/kl`). */
  readonly maxKl?: Scalar;
  /** Passes over a batch. They are compiled in: where a setting moves them, each number of passes is a function of its own. */
  readonly epochs: number | Live;
  /** Parts into which each pass is cut. */
  readonly minibatches: number;
  /** Parts in which a minibatch's gradient is computed, one after another: the same gradient in less memory. 1 by default. */
  readonly accumulate?: number;
  /** Over what advantages are brought to mean 0 and deviation 1. */
  readonly normalise: "minibatch" | "batch" | "none";
}

/**
 * Minibatches of `columns` in a shuffled order, `epochs` times. Columns are [steps, …]; for policies with memory [time, rows, …], of which
 * whole rows are taken, with their `start`. Pure: it compiles into one loop, and can be differentiated through.
 */
export function learnFrom(
  learning: Learning,
  policy: Scoring,
  { weights, optimiser }: Learned,
  given: Columns,
  start: Tree,
  key: Tensor,
): Improved<Learned> {
  const { minibatches, normalise, loss, accumulate = 1 } = learning;
  const epochs = passesOf(learning);
  const sequences = policy.memory ?? false;
  const axis = sequences ? 1 : 0;
  const advantage = given.advantage as Tensor | undefined;
  const alive = given.alive as Tensor | undefined;
  const columns =
    normalise === "batch" && advantage
      ? { ...given, advantage: standardise(advantage, alive)(advantage) }
      : given;
  const units = leaves(columns as Tree)[0].shape[axis];
  const choose = (t: Tensor, order: Tensor | undefined, along = axis) => (order ? take(t, order, along) : t);
  const [shuffleKey, lossKey] = random.splitKey(key, 2);

  const learn = (carry: Learned & { count: Tensor; stopped: Tensor }, order: Tensor | undefined) => {
    const scale =
      normalise === "minibatch" &&
      advantage &&
      standardise(choose(advantage, order), alive && choose(alive, order));
    const whole = accumulate > 1 && alive ? choose(alive, order) : undefined;
    const lossOf = (some: Tensor | undefined) => {
      const state = sequences ? treeMap((t) => choose(t, some, 0), start) : undefined;
      const minibatch = treeMap((t) => choose(t, some), columns as Tree) as Record<string, Tree>;
      if (scale) minibatch.advantage = scale(minibatch.advantage as Tensor);
      const turn = random.foldKey(lossKey, carry.count);
      // Parts of a minibatch draw different numbers, if they draw any.
      const own = policy.random && some ? random.foldKey(turn, reshape(slice(some, [[0, 1]]), [])) : turn;
      return lossGradient(loss, policy, carry.weights, minibatch, state, own, whole);
    };
    const { value, gradient, reported } = whole
      ? inParts(lossOf, carry.weights, order ?? iota([units]), accumulate)
      : !order || sequences || alive
        ? lossOf(order)
        : inChunks(lossOf, order);
    const { learned: after, norm = gradientNorm(gradient) } = improve(carry, gradient, learning);
    const measured = { ...reported, "loss/total": value, "gradient/norm": norm };
    const count = add(carry.count, 1);
    if (learning.maxKl === undefined) return [{ ...carry, ...after, count }, measured] as const;
    const stopped = or(carry.stopped, gt(reported["policy/kl"], valueOf(learning.maxKl)));
    const kept = treeMap(
      (now: Tensor, then: Tensor) => where(stopped, now, then),
      { weights: carry.weights, optimiser: carry.optimiser } as Tree,
      after as Tree,
    ) as Learned;
    return [
      { ...kept, count, stopped },
      { ...measured, "policy/stopped": cast(stopped, "f32") },
    ] as const;
  };

  const first = { weights, optimiser, count: scalar(0, "i32"), stopped: zeros([], "bool") };
  const orders = () =>
    reshape(stack(Array.from({ length: epochs }, (_, e) => shuffled(random.foldKey(shuffleKey, e), units))), [
      epochs * minibatches,
      units / minibatches,
    ]);
  const { carry, ys } =
    // One minibatch an epoch needs no order.
    minibatches === 1
      ? scan((c: typeof first, _: undefined) => learn(c, undefined), first, undefined, { length: epochs })
      : scan(learn, first, orders());
  const metrics = Object.fromEntries(Object.entries(ys).map(([n, t]) => [n, mean(t)]));
  return { state: { weights: carry.weights, optimiser: carry.optimiser }, metrics };
}

/** Passes over a batch as they are now: a whole number from 1, wherever a schedule stands. */
export function passesOf({ epochs }: Pick<Learning, "epochs">): number {
  return typeof epochs === "number" ? epochs : Math.max(1, Math.round(epochs.value));
}

/** A function that brings numbers to mean 0 and deviation 1, as measured on those of `of` that count. */
export function standardise(of: Tensor, counts?: Tensor): (x: Tensor) => Tensor {
  const average = (x: Tensor) => (counts ? meanWhere(counts, x) : mean(x));
  const middle = average(of);
  const spread = counts ? sqrt(average(square(sub(of, middle)))) : std(of);
  return (x) => div(sub(x, middle), add(spread, 1e-8));
}
