import type { Policy } from "@reins/core";
import { fail } from "@reins/core";
import type { Gpt, GptParams } from "@reins/nn";
import { exp, logSoftmax, mul, neg, pick, sum, type Tensor, tensor, transpose, treeMap } from "@reins/tensor";

/** Settings of {@link languagePolicy}. */
export interface LanguagePolicyOptions {
  readonly model: Gpt;
  /** The weights that training begins with; fresh ones by default. */
  readonly params?: GptParams;
  /** At which tokens are sampled: probabilities are those of the sampling distribution. */
  readonly temperature?: number;
}

/**
 * A decoder as a policy: an observation is a token, an action the token that follows it, and all that came before is its memory. It
 * needs no state of its own: columns [time, rows] are whole texts. Rollouts that generate with a cache act for it.
 */
export function languagePolicy({ model, params, temperature = 1 }: LanguagePolicyOptions): Policy<GptParams> {
  return {
    likelihood: "exact",
    memory: true,
    init: (key) => (params ? (treeMap(copy, params) as GptParams) : model.init(key)),
    act: () =>
      fail("languagePolicy", "it answers problems in words, through a stage; environments cannot step it."),
    evaluate(weights, view, action) {
      const logits = model.apply(weights, transpose(view.observation as Tensor));
      const p = logSoftmax(temperature === 1 ? logits : mul(logits, 1 / temperature));
      return {
        logProb: transpose(pick(p, transpose(action as Tensor))),
        entropy: transpose(neg(sum(mul(exp(p), p), -1))),
      };
    },
  };
}

const copy = (t: Tensor) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype });
