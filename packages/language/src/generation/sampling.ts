import { fail } from "@reins/core";
import {
  add,
  argmax,
  broadcastTo,
  cast,
  cumsum,
  div,
  exp,
  expandDims,
  ge,
  gt,
  le,
  logSoftmax,
  lt,
  max,
  min,
  mul,
  neg,
  pick,
  real,
  slice,
  softmax,
  sort,
  sub,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";

/** How tokens are drawn from a model's logits. */
export interface Sampling {
  /** Higher is more random; 0 takes the likeliest (0.6 to 1.2; 1 by default). */
  readonly temperature?: number;
  /** Only the so many likeliest tokens (20 to 100). */
  readonly topK?: number;
  /** Only the likeliest tokens that together have this probability (0.8 to 0.99). */
  readonly topP?: number;
  /** Only tokens at least this many times as likely as the likeliest (0.02 to 0.2). */
  readonly minP?: number;
  /** Logits of tokens that are in the text already are divided by this, or multiplied where negative (1.05 to 1.3; Keskar et al., 2019). */
  readonly repetition?: number;
}

/** What may be drawn where, beside the logits. */
export interface Surroundings {
  /** A number from 0 to below 1 for each row, by which its token is drawn; without it the likeliest is taken. */
  readonly chance?: Tensor;
  /** bool, of the logits' shape: tokens that a constraint allows. */
  readonly allowed?: Tensor;
  /** bool, of the logits' shape: tokens that are in the text already. */
  readonly seen?: Tensor;
}

/** A logit so low that it is never drawn, and that no sum makes infinite. */
export const never = -1e30;

/** Logits with those of tokens that were `seen` made smaller. */
export function repeated(x: Tensor, seen: Tensor, repetition: number): Tensor {
  return where(seen, where(gt(x, 0), div(x, repetition), mul(x, repetition)), x);
}

/** The logits of the distribution that tokens are drawn from, [rows, vocabulary]. */
export function shaped(logits: Tensor, sampling: Sampling, { allowed, seen }: Surroundings = {}): Tensor {
  check(sampling);
  const { temperature = 1, topK, topP, minP, repetition } = sampling;
  let x = logits;
  if (repetition !== undefined && seen) x = repeated(x, seen, repetition);
  if (allowed) x = where(allowed, x, never);
  if (temperature !== 1 && temperature > 0) x = mul(x, 1 / temperature);
  const [rows, size] = x.shape;
  const keep = (limit: Tensor) => where(ge(x, broadcastTo(limit, [rows, size])), x, never);
  if (topK !== undefined && topK < size) x = keep(slice(sort(x, -1, true), [null, [topK - 1, topK]]));
  if (topP !== undefined && topP < 1) {
    const sorted = sort(x, -1, true);
    const p = softmax(sorted);
    // A token stays if those before it have not reached the share: the first always does.
    const before = sub(cumsum(p, -1), p);
    x = keep(expandDims(min(where(lt(before, topP), sorted, Number.POSITIVE_INFINITY), -1), -1));
  }
  if (minP !== undefined && minP > 0) x = keep(add(max(x, { axis: -1, keepDims: true }), real.log(minP)));
  return x;
}

/** One token a row, with its log-probability in the distribution it was drawn from and in the model's own, and the former's logits and entropy. */
export function sample(
  logits: Tensor,
  sampling: Sampling,
  around: Surroundings,
): { token: Tensor; logProb: Tensor; modelLogProb: Tensor; entropy: Tensor; shaped: Tensor } {
  const x = shaped(logits, sampling, around);
  const p = logSoftmax(x);
  const token = around.chance && sampling.temperature !== 0 ? draw(exp(p), around.chance) : argmax(x, -1);
  return {
    token,
    logProb: pick(p, token),
    modelLogProb: pick(logSoftmax(logits), token),
    entropy: neg(sum(mul(exp(p), p), -1)),
    shaped: x,
  };
}

/** The first token at which the probabilities so far exceed the row's chance. One that has none is never it. */
function draw(p: Tensor, chance: Tensor): Tensor {
  const soFar = cumsum(p, -1);
  const [rows, size] = p.shape;
  // Rounding may leave the whole a little beside 1: the chance is one of the whole.
  const whole = slice(soFar, [null, [size - 1, size]]);
  const passed = le(soFar, broadcastTo(mul(expandDims(chance, -1), whole), [rows, size]));
  return sum(cast(passed, "i32"), -1);
}

function check({ temperature, topK, topP, minP, repetition }: Sampling): void {
  const wrong = (name: string, value: number | undefined, low: number, high: number) => {
    if (value !== undefined && !(value >= low && value <= high))
      fail("sampling", `${name} is ${value}; it must be from ${low} to ${high}.`);
  };
  wrong("temperature", temperature, 0, 100);
  wrong("topK", topK, 1, Number.POSITIVE_INFINITY);
  wrong("topP", topP, 1e-6, 1);
  wrong("minP", minP, 0, 1);
  wrong("repetition", repetition, 0.1, 10);
}
