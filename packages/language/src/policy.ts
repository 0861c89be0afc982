import { fail, type Scoring } from "@reins/core";
import type { Gpt, GptParams, LinearParams } from "@reins/nn";
import {
  add,
  exp,
  logSoftmax,
  matmul,
  mul,
  neg,
  pad,
  pick,
  reshape,
  slice,
  sum,
  Tensor,
  tensor,
  transpose,
  treeMap,
  zeros,
} from "@reins/tensor";
import { cuts, sampledFrom } from "./generation/kept-tokens.ts";
import type { Sampling } from "./generation/sampling.ts";
import type { PictureGpt, PictureParams } from "./models/patches.ts";

/**
 * Settings of {@link languagePolicy}; those of {@link Sampling} say how tokens are drawn. Probabilities, entropies and a reference's view are
 * those of the distribution that is drawn from. Where it leaves tokens out, episodes carry what it kept in the column `trace`.
 */
export interface LanguagePolicyOptions extends Sampling {
  readonly model: Gpt;
  /** The weights that training begins with; fresh ones by default. */
  readonly params?: GptParams;
  /** With the model's width: a head on its last layer estimates what a text will earn, at first 0. */
  readonly critic?: number;
}

/** What a model that reads pictures observes: a token, the patch in its place, and where that lies in the picture (−1: there is none). */
type Seen = { token: Tensor; patch: Tensor; place: Tensor };

/** A decoder's parameters, with a value head where there is one. */
export type LanguageWeights = GptParams & { value?: LinearParams };

/**
 * A decoder as the scoring half of a policy: an observation is a token, with the patch in its place where the model reads pictures, an action the token that
 * follows it, and all that came before is its memory. It needs no state of its own: columns [time, rows] are whole texts. Generators
 * with a cache act for it.
 */
export function languagePolicy(options: LanguagePolicyOptions): Scoring<LanguageWeights> {
  const { model, params, critic } = options;
  return {
    likelihood: "exact",
    memory: true,
    init(key) {
      const base = params ? (treeMap(copy, params) as GptParams) : model.init(key);
      return critic === undefined
        ? base
        : { ...base, value: { weight: zeros([critic, 1]), bias: zeros([1]) } };
    },
    score(weights, { view, action, trace }) {
      const { kept } = (trace ?? {}) as { kept?: Tensor };
      if (!kept && cuts(options))
        fail(
          "languagePolicy",
          "sampling leaves tokens out, and the episodes do not say which: they have no column `trace`. Write them with a generator that records (`record: true`) and with textEpisode.",
        );
      const { value, ...base } = weights;
      const seen = view.observation as Tensor | Seen;
      const tokens = seen instanceof Tensor ? seen : seen.token;
      // Padding may be longer than a table of positions; texts never are.
      const behind = Math.max(0, tokens.shape[0] - (base.positions?.table.shape[0] ?? tokens.shape[0]));
      const cut = (x: Tensor) => transpose(behind ? slice(x, [[0, x.shape[0] - behind]]) : x, 0, 1);
      const full = (x: Tensor) => {
        const turned = transpose(x);
        return behind
          ? pad(turned, [
              [0, behind],
              [0, 0],
            ])
          : turned;
      };
      const hidden =
        seen instanceof Tensor
          ? model.hidden(base, cut(tokens))
          : (model as PictureGpt).hidden(base as PictureParams, cut(tokens), {
              pictures: { patches: cut(seen.patch), places: cut(seen.place), aligned: true },
            });
      const logits = model.logits(base, hidden);
      const texts = { tokens: cut(tokens), kept: kept && cut(kept) };
      const p = logSoftmax(sampledFrom(logits, options, texts));
      return {
        logProb: full(pick(p, cut(action as Tensor))),
        entropy: full(neg(sum(mul(exp(p), p), -1))),
        ...(value ? { value: full(estimate(value, hidden)) } : {}),
      };
    },
  };
}

/** What the head makes of the last layer, [batch, time]. */
function estimate({ weight, bias }: LinearParams, hidden: Tensor): Tensor {
  const [batch, time] = hidden.shape;
  const y = matmul(hidden, weight);
  return reshape(bias ? add(y, bias) : y, [batch, time]);
}

const copy = (t: Tensor) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype });
