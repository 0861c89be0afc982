import { fail } from "@reins/core";
import {
  add,
  argmax,
  broadcastTo,
  cumsum,
  div,
  exp,
  expandDims,
  ge,
  gt,
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
import { sampleToken } from "./sample-token.ts";

/** How tokens are sampled from a model's logits. */
export interface Sampling {
  /** Sampling temperature. Higher is more random; 0 is greedy (0.6 to 1.2; default 1). */
  readonly temperature?: number;
  /** Samples from the `topK` most likely tokens. Lower is less diverse (20 to 100). */
  readonly topK?: number;
  /**
   * Nucleus sampling: the most likely tokens that together reach this probability. Lower is less diverse (0.8 to
   * 0.99).
   */
  readonly topP?: number;
  /** Drops tokens less likely than this fraction of the most likely one. Higher is less diverse (0.02 to 0.2). */
  readonly minP?: number;
  /**
   * Repetition penalty: divides positive logits of tokens already in the text by this, multiplies negative ones (1.05
   * to 1.3; Keskar et al., 2019).
   */
  readonly repetition?: number;
}

/** Settings of a single request, which replace those of the generator. */
export type RequestSampling = Pick<Sampling, "temperature" | "topP">;

/** Per-row settings, which replace `temperature` and `topP` where requests have their own. */
export interface RowSettings {
  /** f32 [rows]: 1 / temperature; 0 for greedy rows. */
  readonly inverseTemperature?: Tensor;
  /** f32 [rows]: the kept probability; 2 for rows that keep every token. */
  readonly topP?: Tensor;
}

/** Further inputs of sampling besides the logits. */
export interface SamplingInputs {
  /** A uniform random number in [0, 1) for each row; without it sampling is greedy. */
  readonly uniform?: Tensor;
  /** bool, same shape as the logits: tokens that a constraint allows. */
  readonly allowed?: Tensor;
  /** bool, same shape as the logits: tokens already in the text. */
  readonly seen?: Tensor;
  readonly own?: RowSettings;
}

/** Logit of excluded tokens: never sampled, and finite so that sums stay finite. */
export const never = -1e30;

/** Applies the repetition penalty to the logits of `seen` tokens. */
export function repeated(x: Tensor, seen: Tensor, repetition: number): Tensor {
  return where(seen, where(gt(x, 0), div(x, repetition), mul(x, repetition)), x);
}

/** The logits of the sampling distribution, [rows, vocabulary]. */
export function samplingLogits(logits: Tensor, sampling: Sampling, around: SamplingInputs = {}): Tensor {
  checkSampling(sampling);
  const { allowed, seen, own = {} } = around;
  const { temperature = 1, topK, minP, repetition } = sampling;
  const [rows, size] = logits.shape;
  const perRow = (t: Tensor) => broadcastTo(expandDims(t, -1), [rows, size]);
  let x = logits;
  if (repetition !== undefined && seen) x = repeated(x, seen, repetition);
  if (own.inverseTemperature) {
    const inverse = own.inverseTemperature;
    x = mul(x, perRow(where(gt(inverse, 0), inverse, 1)));
  } else if (temperature !== 1 && temperature > 0) x = mul(x, 1 / temperature);
  // Masked after the temperature: a high temperature would lift the mask above the threshold of packKept.
  if (allowed) x = where(allowed, x, never);
  const keep = (limit: Tensor) => where(ge(x, broadcastTo(limit, [rows, size])), x, never);
  if (topK !== undefined && topK < size) x = keep(slice(sort(x, -1, true), [null, [topK - 1, topK]]));
  const topP = own.topP ? perRow(own.topP) : sampling.topP;
  if (topP !== undefined && topP !== 1) {
    const sorted = sort(x, -1, true);
    const p = softmax(sorted);
    // A token is kept if the tokens before it have not reached topP, so the first is always kept.
    const before = sub(cumsum(p, -1), p);
    x = keep(expandDims(min(where(lt(before, topP), sorted, Number.POSITIVE_INFINITY), -1), -1));
  }
  if (minP !== undefined && minP > 0) x = keep(add(max(x, { axis: -1, keepDims: true }), real.log(minP)));
  return x;
}

/**
 * Samples one token per row. Returns its log-probability under the sampling distribution and under the model, and the
 * sampling distribution's logits and entropy.
 */
export function sample(
  logits: Tensor,
  sampling: Sampling,
  around: SamplingInputs,
): { token: Tensor; logProb: Tensor; modelLogProb: Tensor; entropy: Tensor; shaped: Tensor } {
  const x = samplingLogits(logits, sampling, around);
  const p = logSoftmax(x);
  const token = chosen(x, p, sampling, around);
  return {
    token,
    logProb: pick(p, token),
    modelLogProb: pick(logSoftmax(logits), token),
    entropy: neg(sum(mul(exp(p), p), -1)),
    shaped: x,
  };
}

/** The sampled token of each row, or the most likely one where the row is greedy. */
function chosen(x: Tensor, p: Tensor, { temperature }: Sampling, { uniform, own }: SamplingInputs): Tensor {
  const inverse = own?.inverseTemperature;
  if (!uniform || (temperature === 0 && !inverse)) return argmax(x, -1);
  const sampled = sampleToken(exp(p), uniform);
  return inverse ? where(gt(inverse, 0), sampled, argmax(x, -1)) : sampled;
}

/**
 * Lowest temperature above 0. Lower ones would raise logits to infinity, or above the mask of excluded tokens.
 */
export const leastTemperature = 1e-6;

/** Throws if a setting is outside its range. */
export function checkSampling({ temperature, topK, topP, minP, repetition }: Sampling): void {
  const wrong = (name: string, value: number | undefined, low: number, high: number) => {
    if (value !== undefined && !(value >= low && value <= high))
      fail("sampling", `${name} is ${value}; choose a value from ${low} to ${high}.`);
  };
  wrong("temperature", temperature, 0, 100);
  if (temperature !== undefined && temperature > 0 && temperature < leastTemperature)
    fail(
      "sampling",
      `temperature is ${temperature}; choose 0 (greedy) or a value from ${leastTemperature} to 100.`,
    );
  wrong("topK", topK, 1, Number.POSITIVE_INFINITY);
  if (topK !== undefined && !Number.isInteger(topK) && topK !== Number.POSITIVE_INFINITY)
    fail("sampling", `topK is ${topK}; choose a whole number.`);
  wrong("topP", topP, 1e-6, 1);
  wrong("minP", minP, 0, 1);
  wrong("repetition", repetition, 0.1, 10);
}
