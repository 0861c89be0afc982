import type { Tensor } from "@reins/tensor";
import type { Batch } from "../batch.ts";
import { episodesOf } from "./group.ts";

/**
 * Discounted rewards-to-go at every step of whole episodes: one number per step. Nothing is bootstrapped: a truncated episode
 * counts as if its future rewards were 0. A reward of several components counts as their sum.
 */
export function rewardsToGo(batch: Batch, gamma: number): Float32Array {
  const { starts } = episodesOf(batch, "rewardsToGo");
  const steps = starts[starts.length - 1];
  const { data } = batch.columns.reward as Tensor;
  const width = data.length / steps;
  const out = new Float32Array(steps);
  for (let e = 0; e < starts.length - 1; e++) {
    let later = 0;
    for (let t = starts[e + 1] - 1; t >= starts[e]; t--) {
      later *= gamma;
      for (let k = 0; k < width; k++) later += data[t * width + k];
      out[t] = later;
    }
  }
  return out;
}
