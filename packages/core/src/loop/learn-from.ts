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
import type { TrainState, UpdateResult } from "../learner.ts";
import type { LossTerm } from "../loss.ts";
import type { PartNames } from "../part-names.ts";
import type { ScoringPolicy } from "../policy.ts";
import { type LiveValue, type Scalar, valueOf } from "../signals/live.ts";
import { gradientNorm, inChunks, inParts, lossGradient, meanWhere } from "./gradient.ts";
import { type OptimiserOptions, optimiserStep } from "./optimiser-step.ts";
import { shuffled } from "./shuffle.ts";

/** How a policy learns from columns with targets. */
export interface Learning extends OptimiserOptions {
  readonly loss: LossTerm;
  /** Stops the update on a batch once a minibatch exceeds this KL divergence (metric `policy/kl`). */
  readonly maxKl?: Scalar;
  /** Passes over a batch. The number is compiled in: if a setting changes it, each value compiles its own function. */
  readonly epochs: number | LiveValue;
  /** Minibatches per pass. */
  readonly minibatches: number;
  /** Gradient accumulation: parts in which a minibatch's gradient is computed, to save memory (default 1). */
  readonly accumulate?: number;
  /** The weights at which the gradient is taken (default: the current ones); the step starts from the current ones. */
  readonly gradientAt?: (learned: TrainState) => Tree;
  /** Over what advantages are standardised to mean 0 and standard deviation 1. */
  readonly normalise: "minibatch" | "batch" | "none";
}

export const learningNames: PartNames<Learning> = {
  optimiser: true,
  learningRate: true,
  clipNorm: true,
  loss: true,
  maxKl: true,
  epochs: true,
  minibatches: true,
  accumulate: true,
  gradientAt: true,
  normalise: true,
};

/** A policy, its state of training and the columns with targets that it learns from. */
export interface LearningInput {
  readonly policy: ScoringPolicy;
  readonly learned: TrainState;
  /** [steps, …]; for policies with memory [time, rows, …]. */
  readonly columns: Columns;
  /** Recurrent state at the start of each row, for policies with memory. */
  readonly start?: Tree;
  /** Random key of the shuffling and of the loss. */
  readonly key: Tensor;
}

/**
 * Trains on shuffled minibatches of `columns`, `epochs` times; for policies with memory, minibatches consist of whole rows with their
 * `start`. Pure: it compiles into one loop and can be differentiated through.
 */
export function learnFrom(
  learning: Learning,
  { policy, learned: { weights, optimiser }, columns: given, start = {}, key }: LearningInput,
): UpdateResult<TrainState> {
  const { minibatches, normalise, loss, accumulate = 1, gradientAt = ({ weights }) => weights } = learning;
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

  const learn = (carry: TrainState & { count: Tensor; stopped: Tensor }, order: Tensor | undefined) => {
    const scale =
      normalise === "minibatch" &&
      advantage &&
      standardise(choose(advantage, order), alive && choose(alive, order));
    const whole = accumulate > 1 && alive ? choose(alive, order) : undefined;
    const episodes = given.episodeNumber as Tensor | undefined;
    const wholeEpisodes = whole && episodes && choose(episodes, order);
    const lossOf = (some: Tensor | undefined) => {
      const state = sequences ? treeMap((t) => choose(t, some, 0), start) : undefined;
      const minibatch = treeMap((t) => choose(t, some), columns as Tree) as Record<string, Tree>;
      if (scale) minibatch.advantage = scale(minibatch.advantage as Tensor);
      const turn = random.foldKey(lossKey, carry.count);
      // Parts of a minibatch use different random numbers, if any.
      const own = policy.random && some ? random.foldKey(turn, reshape(slice(some, [[0, 1]]), [])) : turn;
      return lossGradient(loss, {
        policy,
        weights: gradientAt(carry),
        columns: minibatch,
        state,
        key: own,
        whole,
        wholeEpisodes,
      });
    };
    const { value, gradient, reported } = whole
      ? inParts(lossOf, carry.weights, order ?? iota([units]), accumulate)
      : !order || sequences || alive
        ? lossOf(order)
        : inChunks(lossOf, order);
    const { learned: after, norm = gradientNorm(gradient) } = optimiserStep(carry, gradient, learning);
    const measured = { ...reported, "loss/total": value, "gradient/norm": norm };
    const count = add(carry.count, 1);
    if (learning.maxKl === undefined) return [{ ...carry, ...after, count }, measured] as const;
    const stopped = or(carry.stopped, gt(reported["policy/kl"], valueOf(learning.maxKl)));
    const kept = treeMap(
      (now: Tensor, then: Tensor) => where(stopped, now, then),
      { weights: carry.weights, optimiser: carry.optimiser } as Tree,
      after as Tree,
    ) as TrainState;
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
    // One minibatch per epoch needs no shuffling.
    minibatches === 1
      ? scan((c: typeof first, _: undefined) => learn(c, undefined), first, undefined, { length: epochs })
      : scan(learn, first, orders());
  const metrics = Object.fromEntries(Object.entries(ys).map(([n, t]) => [n, mean(t)]));
  return { state: { weights: carry.weights, optimiser: carry.optimiser }, metrics };
}

/** The current number of passes over a batch: an integer of at least 1, also in the middle of a schedule. */
export function passesOf({ epochs }: Pick<Learning, "epochs">): number {
  return typeof epochs === "number" ? epochs : Math.max(1, Math.round(epochs.value));
}

/** A function that standardises to mean 0 and standard deviation 1, as measured on the entries of `of` with `counts`. */
export function standardise(of: Tensor, counts?: Tensor): (x: Tensor) => Tensor {
  const average = (x: Tensor) => (counts ? meanWhere(counts, x) : mean(x));
  const middle = average(of);
  const spread = counts ? sqrt(average(square(sub(of, middle)))) : std(of);
  return (x) => div(sub(x, middle), add(spread, 1e-8));
}
