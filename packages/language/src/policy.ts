import { fail, type Scoring } from "@reins/core";
import type { Gpt, GptParams, LinearParams } from "@reins/nn";
import {
  add,
  cast,
  exp,
  expandDims,
  ge,
  logSoftmax,
  matmul,
  max,
  mul,
  neg,
  pad,
  pick,
  reshape,
  slice,
  squeeze,
  sum,
  Tensor,
  tensor,
  transpose,
  treeMap,
  zeros,
} from "@reins/tensor";
import { cuts, type SamplingTrace, sampledFrom, wordsFor } from "./generation/kept-tokens.ts";
import type { Sampling } from "./generation/sampling.ts";
import type { PictureGpt, PictureParams } from "./models/patches.ts";
import { alikeTraces } from "./play/sampling-trace.ts";
import { scoresInBlocks, type TokenScores } from "./token-scores.ts";

/**
 * Settings of {@link languagePolicy}; those of {@link Sampling} say how tokens are sampled. Log-probabilities, entropies and the reference's
 * log-probabilities are those of the sampling distribution. Where it was restricted (topK, topP, minP, a constraint), or a request had a
 * temperature of its own, the column `trace` of the episodes has the kept sets and temperatures.
 */
export interface LanguagePolicyOptions extends Sampling {
  readonly model: Gpt;
  /** The weights that training begins with; fresh ones by default. */
  readonly params?: GptParams;
  /**
   * Most logits that are in memory at once. Where a batch has more, they are computed in blocks of tokens, those of the policy's own alone,
   * and again on the way back (2²⁵ by default, 128 MiB). Not with `repetition`, which looks at whole texts.
   */
  readonly logits?: number;
  /** Also says of each token whether it is the likeliest one (`extra.likeliest`), for accuracies. */
  readonly likeliest?: boolean;
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
  const { model, params, critic, logits = 2 ** 25 } = options;
  return {
    likelihood: "exact",
    memory: true,
    ...(model.random ? { random: true } : {}),
    init(key) {
      const base = params ? (treeMap(copy, params) as GptParams) : model.init(key);
      return critic === undefined
        ? base
        : { ...base, value: { weight: zeros([critic, 1]), bias: zeros([1]) } };
    },
    alikeTraces: (episodes) => alikeTraces(episodes, wordsFor(model.vocabulary)),
    score(weights, { view, action, trace, alive, key }) {
      const { kept, inverseTemperature } = (trace ?? {}) as SamplingTrace;
      if (!kept && cuts(options))
        fail(
          "languagePolicy",
          "topK, topP or minP restricts sampling, and the episodes have no kept sets: they have no column `trace`. Generate them with `record: true`, and build them with textEpisode.",
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
          ? model.hidden(base, cut(tokens), { key })
          : (model as PictureGpt).hidden(base as PictureParams, cut(tokens), {
              pictures: { patches: cut(seen.patch), places: cut(seen.place), aligned: true },
              key,
            });
      const traced: SamplingTrace = {
        ...(kept ? { kept: cut(kept) } : {}),
        ...(inverseTemperature ? { inverseTemperature: cut(inverseTemperature) } : {}),
      };
      const chosen = cut(action as Tensor);
      const more = () => (value ? { value: full(estimate(value, hidden)) } : {});
      const likeliest = (logProb: Tensor, top: Tensor | undefined) =>
        top ? { extra: { likeliest: full(cast(ge(logProb, top), "f32")) } } : {};
      const { size } = chosen;
      if (size * model.vocabulary > logits && (options.repetition ?? 1) === 1) {
        const scores = blockwise(options, logits, base, hidden, {
          chosen,
          traced,
          alive: alive && cut(alive),
        });
        const { logProb, entropy, top } = scores;
        return { logProb: full(logProb), entropy: full(entropy), ...more(), ...likeliest(logProb, top) };
      }
      const p = logSoftmax(
        sampledFrom(model.logits(base, hidden), options, { tokens: cut(tokens), ...traced }),
      );
      const logProb = pick(p, chosen);
      return {
        logProb: full(logProb),
        entropy: full(neg(sum(mul(exp(p), p), -1))),
        ...more(),
        ...likeliest(logProb, options.likeliest ? max(p, -1) : undefined),
      };
    },
  };
}

/** Log-probabilities and entropies [batch, time] from the last layer, in blocks of tokens. */
function blockwise(
  { model, likeliest, ...sampling }: LanguagePolicyOptions,
  most: number,
  base: GptParams,
  hidden: Tensor,
  { chosen, traced, alive }: { chosen: Tensor; traced: SamplingTrace; alive?: Tensor },
): TokenScores {
  const [batch, time, width] = hidden.shape;
  const flat = (t: Tensor, ...rest: number[]) => reshape(t, [batch * time, ...rest]);
  // Adapters alone have no last layer: the frozen one gets no gradient.
  const weight = base.head?.weight ?? (base.tokens as GptParams["tokens"] | undefined)?.table;
  const holding = (own: Tensor | undefined): GptParams =>
    own ? { ...base, ...(base.head ? { head: { weight: own } } : { tokens: { table: own } }) } : base;
  const block = Math.max(16, 16 * Math.floor(most / 2 / model.vocabulary / 16));
  const { logProb, entropy, top } = scoresInBlocks(
    {
      top: likeliest,
      hidden: flat(hidden, width),
      chosen: flat(chosen),
      needed: alive && flat(alive),
      beside: treeMap((t) => flat(t, ...t.shape.slice(2)), traced) as SamplingTrace,
      weight,
    },
    (rows, beside, own) => {
      const one = treeMap((t) => expandDims(t, 0), beside ?? {}) as SamplingTrace;
      const texts = { tokens: zeros([1, rows.shape[0]], "i32"), ...one };
      return squeeze(sampledFrom(expandDims(model.logits(holding(own), rows), 0), sampling, texts), 0);
    },
    Math.min(block, batch * time),
  );
  const back = (t: Tensor) => reshape(t, [batch, time]);
  return { logProb: back(logProb), entropy: back(entropy), ...(top ? { top: back(top) } : {}) };
}

/** What the head makes of the last layer, [batch, time]. */
function estimate({ weight, bias }: LinearParams, hidden: Tensor): Tensor {
  const [batch, time] = hidden.shape;
  const y = matmul(hidden, weight);
  return reshape(bias ? add(y, bias) : y, [batch, time]);
}

const copy = (t: Tensor) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype });
