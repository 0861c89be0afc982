import {
  add,
  div,
  leaves,
  mean,
  random,
  reshape,
  scalar,
  scan,
  stack,
  std,
  sub,
  type Tensor,
  type Tree,
  take,
  treeMap,
} from "@reins/tensor";
import type { Learned, Learnt } from "../learner.ts";
import type { Term } from "../loss.ts";
import type { nn } from "../nn.ts";
import type { Policy } from "../policy.ts";
import { type Adjustable, valueOf } from "../signals/live.ts";
import type { Columns } from "../target.ts";
import { gradientNorm, inChunks, lossGradient, shorten } from "./gradient.ts";
import { shuffled } from "./shuffle.ts";

/** How a policy learns from columns whose targets are known. */
export interface Learning {
  readonly loss: Term;
  readonly optimiser: nn.Optimiser;
  readonly learningRate: Adjustable;
  /** Longest gradient; longer ones are shortened. */
  readonly clipNorm?: Adjustable;
  /** Passes over a batch. */
  readonly epochs: number;
  /** Parts into which each pass is cut. */
  readonly minibatches: number;
  /** Over what advantages are brought to mean 0 and deviation 1. */
  readonly normalise: "minibatch" | "batch" | "none";
}

/**
 * Minibatches of `columns` in a shuffled order, `epochs` times. Columns are [steps, …]; for policies with memory [time, rows, …], of which
 * whole rows are taken, with their `start`. Pure: it compiles into one loop, and can be differentiated through.
 */
export function learnFrom(
  learning: Learning,
  policy: Policy,
  { weights, optimiser }: Learned,
  given: Columns,
  start: Tree,
  key: Tensor,
): Learnt {
  const { epochs, minibatches, normalise, loss } = learning;
  const sequences = policy.memory ?? false;
  const axis = sequences ? 1 : 0;
  const advantage = given.advantage as Tensor | undefined;
  const columns =
    normalise === "batch" && advantage ? { ...given, advantage: standardise(advantage)(advantage) } : given;
  const units = leaves(columns as Tree)[0].shape[axis];
  const choose = (t: Tensor, order: Tensor | undefined, along = axis) => (order ? take(t, order, along) : t);
  const [shuffleKey, lossKey] = random.splitKey(key, 2);

  const learn = (carry: Learned & { count: Tensor }, order: Tensor | undefined) => {
    const scale = normalise === "minibatch" && advantage && standardise(choose(advantage, order));
    const state = sequences ? treeMap((t) => choose(t, order, 0), start) : undefined;
    const lossOf = (some: Tensor | undefined) => {
      const minibatch = treeMap((t) => choose(t, some), columns as Tree) as Record<string, Tree>;
      if (scale) minibatch.advantage = scale(minibatch.advantage as Tensor);
      return lossGradient(
        loss,
        policy,
        carry.weights,
        minibatch,
        state,
        random.foldKey(lossKey, carry.count),
      );
    };
    const whole = !order || sequences || columns.alive;
    const { value, gradient, reported } = whole ? lossOf(order) : inChunks(lossOf, order);
    const norm = gradientNorm(gradient);
    const next = learning.optimiser.update(
      learning.clipNorm === undefined ? gradient : shorten(gradient, norm, valueOf(learning.clipNorm)),
      carry.optimiser,
      carry.weights,
      { learningRate: valueOf(learning.learningRate) },
    );
    return [
      { weights: next.params, optimiser: next.state, count: add(carry.count, 1) },
      { ...reported, "loss/total": value, "gradient/norm": norm },
    ] as const;
  };

  const first = { weights, optimiser, count: scalar(0, "i32") };
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
  return { weights: carry.weights, optimiser: carry.optimiser, metrics };
}

/** A function that brings numbers to mean 0 and deviation 1, as measured on `of`. */
function standardise(of: Tensor): (x: Tensor) => Tensor {
  const [middle, spread] = [mean(of), add(std(of), 1e-8)];
  return (x) => div(sub(x, middle), spread);
}
