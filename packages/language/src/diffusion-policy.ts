import { fail, type ScoringPolicy } from "@reins/core";
import type { GptParams } from "@reins/nn";
import { gt, type Tensor, tensor, transpose, treeMap, where } from "@reins/tensor";
import type { MaskedDiffusion } from "./models/diffusion.ts";

/**
 * Settings of {@link diffusionPolicy}.
 *
 * @experimental
 */
export interface DiffusionPolicyOptions {
  readonly diffusion: MaskedDiffusion;
  /** Initial weights (default: fresh ones). */
  readonly params?: GptParams;
  /** Number of the last decoding round: `decodingRounds` of the decoding options. */
  readonly rounds: number;
  /** Sampling temperature of decoding. */
  readonly temperature?: number;
}

/**
 * Masked diffusion as the scoring half of a policy; `decode()` acts for it. A step is a position: its observation is
 * the given token, its action the token written there, its trace the decoding order (`MaskedDiffusion`); columns
 * [time, rows] are whole texts. Given the trace, the likelihood of each token is exact. Padding positions have trace
 * 0 and are ignored.
 *
 * @experimental
 */
export function diffusionPolicy(options: DiffusionPolicyOptions): ScoringPolicy<GptParams> {
  const { diffusion, params, rounds, temperature } = options;
  return {
    likelihood: "exact",
    memory: true,
    init: (key) => (params ? treeMap(copy, params) : diffusion.model.init(key)),
    score(weights, { view, action, trace }) {
      if (trace === undefined)
        fail("diffusionPolicy", "the episodes have no column `trace`. Record the decoding order in it.");
      const [given, written, order] = [view.observation, action, trace].map((t) => transpose(t as Tensor));
      const tokens = where(gt(order, 0), written, given);
      const { logProb, entropy } = diffusion.traceLogProb(weights, tokens, order, { rounds, temperature });
      return { logProb: transpose(logProb), entropy: transpose(entropy) };
    },
  };
}

const copy = (t: Tensor) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype });
