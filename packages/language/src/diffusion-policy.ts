import { fail, type Scoring } from "@reins/core";
import type { GptParams } from "@reins/nn";
import { gt, type Tensor, tensor, transpose, treeMap, where } from "@reins/tensor";
import type { MaskedDiffusion } from "./models/diffusion.ts";

/** Settings of {@link diffusionPolicy}. */
export interface DiffusionPolicyOptions {
  readonly diffusion: MaskedDiffusion;
  /** The weights that training begins with; fresh ones by default. */
  readonly params?: GptParams;
  /** The last round there may be: `roundsOf` of what texts are decoded with. */
  readonly rounds: number;
  /** At which texts are decoded. */
  readonly temperature?: number;
}

/**
 * Masked diffusion as the scoring half of a policy; `decode()` acts for it. A step is a position: its observation is the token that is given there, its action the token that was
 * written there, its trace the order of decoding (`MaskedDiffusion`); columns [time, rows] are whole texts. Given the trace, the
 * likelihood of each token is exact. Places that pad a batch are 0 in the trace, and so not there.
 */
export function diffusionPolicy(options: DiffusionPolicyOptions): Scoring<GptParams> {
  const { diffusion, params, rounds, temperature } = options;
  return {
    likelihood: "exact",
    memory: true,
    init: (key) => (params ? treeMap(copy, params) : diffusion.model.init(key)),
    score(weights, { view, action, trace }) {
      if (trace === undefined)
        fail(
          "diffusionPolicy",
          "there is no trace. Episodes need the column `trace`: the order of decoding.",
        );
      const [given, written, order] = [view.observation, action, trace].map((t) => transpose(t as Tensor));
      const tokens = where(gt(order, 0), written, given);
      const { logProbs, entropies } = diffusion.traceLogProb(weights, tokens, order, { rounds, temperature });
      return { logProb: transpose(logProbs), entropy: transpose(entropies) };
    },
  };
}

const copy = (t: Tensor) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype });
