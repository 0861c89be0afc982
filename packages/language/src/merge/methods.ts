import { stream } from "@reins/core/random";
import { slerp } from "./slerp.ts";
import { keepLargest, keepRandom } from "./sparsity.ts";

/**
 * How the weights of several models become one: their mean, the arc between two, or a base model plus the others' differences from it
 * (task arithmetic: Ilharco et al., 2023; TIES: Yadav et al., 2023; DARE: Yu et al., 2024).
 */
export type MergeMethod = "linear" | "slerp" | "task-arithmetic" | "ties" | "dare" | "dare-ties";

/** The methods. Those after the first two add differences from a base model. */
export const mergeMethods = [
  "linear",
  "slerp",
  "task-arithmetic",
  "ties",
  "dare",
  "dare-ties",
] as const satisfies readonly MergeMethod[];

/** Settings of a merge of tensors. */
export interface MergeSettings {
  readonly method: MergeMethod;
  /** A weight for each model: for `linear`, relative to their sum; for `slerp`, the second is the position between the two. */
  readonly weights: readonly number[];
  /** The share of each difference that `ties` and `dare` keep. */
  readonly density: number;
  /** Which elements `dare` keeps. */
  readonly seed: number;
}

/**
 * Merges the elements of one tensor. `base` is that of the base model, for the methods that need one; `name` distinguishes the random
 * choices of tensors. Sums are in double precision, in the order of the models, so that the result has the same bits on every machine.
 */
export function mergeTensors(
  models: readonly Float32Array[],
  base: Float32Array | undefined,
  { method, weights, density, seed }: MergeSettings,
  name: string,
): Float32Array {
  if (method === "linear") {
    const total = weights.reduce((a, b) => a + b, 0);
    return combine(
      models,
      weights.map((w) => w / total),
    );
  }
  if (method === "slerp") return slerp(models[0], models[1], weights[1] / (weights[0] + weights[1]));
  const differences = models.map((m) => m.map((x, i) => x - base![i]));
  if (method === "ties") for (const d of differences) keepLargest(d, density);
  else if (method !== "task-arithmetic")
    differences.forEach((d, i) => keepRandom(d, density, stream(stream(seed, "merge", i), name)));
  const elected = method === "ties" || method === "dare-ties";
  return elected
    ? addElected(base!, differences, weights)
    : combine([base!, ...differences], [1, ...weights]);
}

/** A weighted sum. */
function combine(list: readonly Float32Array[], weights: readonly number[]): Float32Array {
  const out = new Float32Array(list[0].length);
  for (let i = 0; i < out.length; i++) {
    let sum = 0;
    for (let m = 0; m < list.length; m++) sum += weights[m] * list[m][i];
    out[i] = sum;
  }
  return out;
}

/** Adds, for each element, the weighted mean of the differences whose sign is that of their weighted sum. */
function addElected(
  base: Float32Array,
  differences: readonly Float32Array[],
  weights: readonly number[],
): Float32Array {
  const out = new Float32Array(base.length);
  for (let i = 0; i < out.length; i++) {
    let total = 0;
    for (let m = 0; m < differences.length; m++) total += weights[m] * differences[m][i];
    let [sum, weight] = [0, 0];
    for (let m = 0; m < differences.length; m++) {
      const part = weights[m] * differences[m][i];
      if (part * total <= 0) continue;
      sum += part;
      weight += weights[m];
    }
    out[i] = weight === 0 ? base[i] : base[i] + sum / weight;
  }
  return out;
}
