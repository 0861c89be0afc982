import type { EpisodeSource, RolloutInput, Snapshot, Stage } from "@reins/core";
import { copyOf, copyTree } from "@reins/core/forms";
import { defaultRng, seedOf, stream } from "@reins/core/random";
import type { GptParams } from "@reins/nn";
import { leaves, type Tensor } from "@reins/tensor";
import { sums } from "../testbeds/sums.ts";

/** Magnitudes of NVFP4, and the number of weights that share a scale. */
const [magnitudes, block] = [[0, 0.5, 1, 1.5, 2, 3, 4, 6], 16];
const rounded = (x: number) =>
  Math.sign(x) * magnitudes.reduce((a, b) => (Math.abs(Math.abs(x) - b) < Math.abs(Math.abs(x) - a) ? b : a));

/** Rounds a matrix [inputs, outputs] to four bits: blocks of 16 inputs of an output share the scale of their largest weight. */
export function quantise({ data, shape: [inputs, outputs] }: Tensor): void {
  for (let o = 0; o < outputs; o++)
    for (let from = 0; from < inputs; from += block) {
      const until = Math.min(inputs, from + block);
      let most = 0;
      for (let i = from; i < until; i++) most = Math.max(most, Math.abs(data[i * outputs + o]));
      const scale = most / 6 || 1;
      for (let i = from; i < until; i++)
        data[i * outputs + o] = scale * rounded(data[i * outputs + o] / scale);
    }
}

/** Standard deviation of the noise at a share of the budget: none in the first tenth, then 0.01 to 0.0001 in nine stages. */
export function noiseAt(progress: number): number {
  const stage = Math.min(9, Math.floor(progress * 10));
  return stage === 0 ? 0 : 0.01 * 0.01 ** ((stage - 1) / 8);
}

/** Samples come from the policy with quantised linear layers, and with noise on the scales of its norms if it is `noisy`. */
export const quantisedRollouts =
  (stage: Stage, noisy: boolean) =>
  (input: RolloutInput): EpisodeSource => {
    const weights = copyOf(input.weights);
    const { blocks, norm } = weights as GptParams;
    const linear = blocks
      .flatMap((b) => leaves([b.attention, b.feedForward]))
      .filter((t) => t.shape.length === 2);
    const norms = [...blocks.flatMap((b) => [b.norm1, b.norm2]), norm].map((n) => n.scale);
    const inner = stage.play({ ...input, weights });
    const seed = seedOf(input.key);
    let batches = 0;
    return {
      get steps() {
        return inner.steps;
      },
      next() {
        copyTree(weights, input.weights);
        linear.forEach(quantise);
        const deviation = noisy ? noiseAt(inner.steps / sums.budget.full) : 0;
        const random = defaultRng(stream(seed, "noise", batches++));
        for (const { data } of norms)
          for (let i = 0; i < data.length; i++) data[i] += deviation * random.normal();
        return inner.next();
      },
      save: (): Snapshot => ({ inner: inner.save(), batches }),
      restore(from) {
        const s = from as { inner: Snapshot; batches: number };
        inner.restore(s.inner);
        batches = s.batches;
      },
    };
  };
