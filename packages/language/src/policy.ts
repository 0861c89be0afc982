import { fail, type ScoringPolicy } from "@reins/core";
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
  pick,
  reshape,
  squeeze,
  sum,
  Tensor,
  tensor,
  treeMap,
  zeros,
} from "@reins/tensor";
import type { Sampling } from "./generation/sampling.ts";
import { cuts, type SamplingTrace, sampledFrom, wordsFor } from "./generation/sampling-support.ts";
import { patchOptionsOf } from "./models/images.ts";
import type { ImageGpt, ImageParams } from "./models/patches.ts";
import { packedRows } from "./packed-rows.ts";
import { alikeTraces } from "./rollouts/sampling-trace.ts";
import { textRows } from "./text-rows.ts";
import { scoresInBlocks, type TokenScores } from "./token-scores.ts";

/**
 * Settings of {@link languagePolicy}; those of {@link Sampling} define the sampling distribution. Log-probabilities,
 * entropies and the reference's log-probabilities are those of the sampling distribution. Where sampling was
 * restricted (topK, topP, minP, a constraint) or a request had its own temperature, the episodes' column `trace`
 * holds the kept sets and temperatures.
 */
export interface LanguagePolicyOptions extends Sampling {
  readonly model: Gpt;
  /** Initial weights (default: fresh ones). */
  readonly params?: GptParams;
  /**
   * Maximum number of logits in memory at once (default 2²⁵, 128 MiB). Larger batches are computed in blocks of
   * tokens, the policy's own tokens only, and recomputed in the backward pass. Has no effect with `repetition`, which
   * depends on whole texts.
   */
  readonly logits?: number;
  /** Also reports whether each token is the most likely one (`extra.likeliest`), for accuracies. */
  readonly likeliest?: boolean;
  /** Whether rows hold several texts, which `view.first` separates: none sees another (default: one text per row). */
  readonly packed?: boolean;
  /** The model's width: adds a value head on the last layer, initialised to 0. */
  readonly critic?: number;
}

/**
 * Observation of a model that reads images: a token, the patch in its place, and the patch's position in the image
 * (−1: none).
 */
type Seen = { token: Tensor; patch: Tensor; place: Tensor };

/** A decoder's parameters, with a value head where the policy has a critic. */
export type LanguageWeights = GptParams & { value?: LinearParams };

/**
 * A decoder as the scoring half of a policy: an observation is a token (with the patch in its place where the model
 * reads images), an action the token that follows it. The policy is stateless: columns [time, rows] are whole texts.
 * Generators with a KV cache act for it.
 */
export function languagePolicy(options: LanguagePolicyOptions): ScoringPolicy<LanguageWeights> {
  const { model, params, critic, logits = 2 ** 25 } = options;
  return {
    likelihood: "exact",
    memory: true,
    ...(model.random ? { random: true } : {}),
    // Images are aligned with the tokens of one text, and the repetition penalty counts those of one.
    ...(options.packed || patchOptionsOf(model) || (options.repetition ?? 1) !== 1
      ? {}
      : { packed: languagePolicy({ ...options, packed: true }) }),
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
          "topK, topP or minP restricts sampling, but the episodes have no column `trace` with the kept sets. Generate them with `record: true` and build them with textEpisode.",
        );
      const { value, ...base } = weights;
      const seen = view.observation as Tensor | Seen;
      const tokens = seen instanceof Tensor ? seen : seen.token;
      // Packed rows may be longer than the longest text.
      const first = options.packed ? view.first : undefined;
      const longest = first ? undefined : (model.longest ?? base.positions?.table.shape[0]);
      const { toRows: cut, toColumn: full } = textRows(tokens.shape[0], longest);
      const hidden =
        seen instanceof Tensor
          ? model.hidden(base, cut(tokens), {
              key,
              ...(first ? packedRows(cut(first), model.longest) : {}),
            })
          : (model as ImageGpt).hidden(base as ImageParams, cut(tokens), {
              images: { patches: cut(seen.patch), places: cut(seen.place), aligned: true },
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
  // Adapters alone have no output layer: the frozen one gets no gradient.
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

/** The value head on the last layer, [batch, time]. */
function estimate({ weight, bias }: LinearParams, hidden: Tensor): Tensor {
  const [batch, time] = hidden.shape;
  const y = matmul(hidden, weight);
  return reshape(bias ? add(y, bias) : y, [batch, time]);
}

const copy = (t: Tensor) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype });
