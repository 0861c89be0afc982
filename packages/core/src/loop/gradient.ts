import {
  add,
  div,
  leaves,
  mean,
  mul,
  reshape,
  scan,
  sum,
  sumOver,
  type Tensor,
  type Tree,
  treeMap,
  valueAndGradient,
  where,
  zerosLike,
} from "@reins/tensor";
import type { Columns } from "../batch.ts";
import type { LossTerm } from "../loss.ts";
import type { ScoringPolicy } from "../policy.ts";
import { recordedStep } from "../recorded-step.ts";

/** A loss, its gradient with respect to the weights, and the metrics of its terms. */
export type LossGradient = {
  readonly value: Tensor;
  readonly gradient: Tree;
  readonly reported: { readonly [name: string]: Tensor };
};

/** A minibatch, and the policy that scores it. */
export interface LossGradientInput {
  readonly policy: ScoringPolicy;
  readonly weights: Tree;
  readonly columns: Columns;
  /** Recurrent states at the start of the rows, for policies with memory. */
  readonly state?: Tree;
  /** Random key of the loss terms and of random policies. */
  readonly key: Tensor;
  /** The `alive` of the whole minibatch if `columns` are one part of it: the result is that part's contribution to the minibatch mean. */
  readonly whole?: Tensor;
  /** The column `episodeNumber` of the whole minibatch, beside `whole`. */
  readonly wholeEpisodes?: Tensor;
}

/** Loss and gradient of a minibatch with respect to the policy's weights. */
export function lossGradient(
  loss: LossTerm,
  { policy, weights, columns, state, key, whole, wholeEpisodes }: LossGradientInput,
): LossGradient {
  const result = valueAndGradient((w: Tree): readonly [Tensor, Record<string, Tensor>] => {
    const reported: Record<string, Tensor> = {};
    const alive = columns.alive as Tensor | undefined;
    const moment = recordedStep(columns, state);
    const scored = policy.score(w, policy.random ? { ...moment, key } : moment);
    const average = (t: Tensor) => (alive ? meanWhere(alive, t, whole) : mean(t));
    const report = (name: string, t: Tensor) => {
      reported[name] = average(t);
    };
    const around = { ...(whole ? { whole } : {}), ...(wholeEpisodes ? { wholeEpisodes } : {}) };
    return [average(loss.value({ scored, columns, key, report, ...around })), reported];
  })(weights);
  return { value: result.value, gradient: result.gradient, reported: result.aux };
}

/** Rows of a large minibatch per chunk: their activations and gradients stay in the processor's cache. */
const chunk = 256;

/** The mean of a minibatch's losses and gradients: on a CPU one chunk at a time, on a GPU all at once. */
export function inChunks(lossOf: (rows: Tensor) => LossGradient, order: Tensor): LossGradient {
  const chunks = order.shape[0] / chunk;
  if (chunks < 2 || !Number.isInteger(chunks)) return lossOf(order);
  const total = sumOver(lossOf, reshape(order, [chunks, chunk]));
  return treeMap((t) => mul(t, 1 / chunks), total);
}

/** The sum of losses and gradients of the parts of a minibatch, computed one after another, so that they share memory. */
export function inParts(
  lossOf: (rows: Tensor) => LossGradient,
  weights: Tree,
  order: Tensor,
  parts: number,
): LossGradient {
  const { carry, ys } = scan(
    (total: Tree, some: Tensor) => {
      const { gradient, ...rest } = lossOf(some);
      return [treeMap(add, total, gradient), rest] as const;
    },
    treeMap(zerosLike, weights),
    reshape(order, [parts, order.shape[0] / parts]),
  );
  return { ...treeMap((t) => sum(t, 0), ys), gradient: carry };
}

/** The mean over rows with `counts`; with `whole`, these rows' contribution to the mean over the whole minibatch. */
export function meanWhere(counts: Tensor, x: Tensor, whole?: Tensor): Tensor {
  const weight = where(counts, 1, 0);
  return div(sum(mul(x, weight)), add(sum(whole ? where(whole, 1, 0) : weight), 1e-8));
}

/** The norm of a gradient over all parameters. */
export function gradientNorm(gradient: Tree): Tensor {
  return leaves(gradient)
    .map((g) => sum(mul(g, g)))
    .reduce((a, b) => add(a, b))
    .sqrt();
}

/** Clips the gradient to a norm of at most `limit`. */
export function clipGradient(gradient: Tree, norm: Tensor, limit: number | Tensor): Tree {
  const factor = where(norm.gt(limit), div(limit, add(norm, 1e-6)), 1);
  return treeMap((g) => mul(g, factor), gradient);
}
