import { fail } from "@reins/core";
import { type Gpt, type GptOptions, type GptParams, gpt } from "@reins/nn";
import {
  add,
  and,
  argmax,
  argsort,
  broadcastTo,
  cast,
  div,
  eq,
  exp,
  expandDims,
  floor,
  full,
  ge,
  gt,
  iota,
  logSoftmax,
  lt,
  max,
  maximum,
  minimum,
  mod,
  mul,
  ne,
  neg,
  pick,
  random,
  reshape,
  scan,
  sum,
  type Tensor,
  where,
  zeros,
} from "@reins/tensor";

/**
 * Settings of {@link maskedDiffusion}: those of a decoder with bidirectional attention.
 *
 * @experimental
 */
export interface DiffusionOptions extends Omit<GptOptions, "causal"> {
  /** The mask token. It is never generated. */
  readonly mask: number;
}

/**
 * Options of decoding.
 *
 * @experimental
 */
export interface DecodeOptions {
  /** Maximum positions to generate in a row. */
  readonly length: number;
  /** Positions per round (default 1). More is faster but treats dependent tokens as independent (1 to length / 4). */
  readonly perRound?: number;
  /** Which positions come first: those where the model is most confident (default), or random ones. */
  readonly first?: "surest" | "random";
  /** Sampling temperature. Higher is more random (0.3 to 1.2; default 1). */
  readonly temperature?: number;
}

/**
 * Generated tokens, their decoding rounds and their log-probabilities, [batch, time] each.
 *
 * @experimental
 */
export type Decoded = { tokens: Tensor; order: Tensor; logProb: Tensor };

/**
 * A model that generates a text in any order: it begins with masks and reveals some positions per round (Sahoo et
 * al., 2024; Nie et al., 2025). The order (i32 [batch, time]) defines each position: -1 is given, 0 is padding, and r
 * ≥ 1 is generated in round r.
 *
 * @experimental
 */
export interface MaskedDiffusion {
  readonly options: DiffusionOptions;
  /** The decoder that predicts masked tokens. */
  readonly model: Gpt;
  /**
   * An upper bound on the negative log-likelihood per generated token, in expectation over keys: some positions are
   * masked, and their errors are weighted by 1/t, where t is the masked fraction. Without an order the whole text is
   * generated; rounds do not matter.
   */
  loss(params: GptParams, tokens: Tensor, key: Tensor, order?: Tensor): Tensor;
  /** Generates where the order is above 0; `tokens` is ignored there. Without a key, decoding is greedy. */
  decode(params: GptParams, tokens: Tensor, order: Tensor, options: DecodeOptions, key?: Tensor): Decoded;
  /**
   * Log-probabilities (0 where nothing was generated) and entropies of generated tokens, each given what was revealed
   * before its round: the same as in decoding, in one pass over all rounds. Differentiable. `rounds` is the maximum
   * round.
   */
  traceLogProb(
    params: GptParams,
    tokens: Tensor,
    order: Tensor,
    options: { readonly rounds: number; readonly temperature?: number },
  ): { logProb: Tensor; entropy: Tensor };
}

/**
 * Number of decoding rounds.
 *
 * @experimental
 */
export const decodingRounds = ({ length, perRound = 1 }: DecodeOptions): number =>
  Math.ceil(length / perRound);

/** Logit of excluded tokens: never sampled, and finite so that sums stay finite. */
const never = -1e30;

/**
 * Masked diffusion of tokens; `model` may be another model with these options, such as one with adapters.
 *
 * @experimental
 */
export function maskedDiffusion(
  options: DiffusionOptions,
  model: Gpt = gpt({ ...options, causal: false }),
): MaskedDiffusion {
  const { mask, vocabulary } = options;
  if (!(Number.isInteger(mask) && mask >= 0 && mask < vocabulary))
    fail("maskedDiffusion", `mask is ${mask}; it must be a token from 0 to ${vocabulary - 1}.`);
  const states = (params: GptParams, text: Tensor, order: Tensor) =>
    model.hidden(params, text, { mask: expandDims(expandDims(ne(order, 0), 1), 1) });
  const logProbsOf = (params: GptParams, hidden: Tensor, temperature = 1) => {
    const logits = where(eq(iota([vocabulary]), mask), never, model.logits(params, hidden));
    return logSoftmax(temperature === 1 ? logits : mul(logits, 1 / temperature));
  };

  return {
    options,
    model,
    loss(params, tokens, key, order = full(tokens.shape, 1, "i32")) {
      const [rows, time] = tokens.shape;
      const [shareKey, placeKey] = random.splitKey(key);
      const written = gt(order, 0);
      const count = sum(cast(written, "f32"), -1);
      // A uniform number of masked positions is equivalent to sampling t, with less variance. Rows are stratified.
      const share = mod(add(random.uniform(shareKey, [1]), mul(cast(iota([rows]), "f32"), 1 / rows)), 1);
      const hide = minimum(add(floor(mul(share, count)), 1), maximum(count, 1));
      const noise = where(written, random.uniform(placeKey, [rows, time]), 2);
      const hidden = and(written, lt(rankOf(noise, false), cast(expandDims(hide, -1), "i32")));
      const p = logProbsOf(params, states(params, where(hidden, mask, tokens), order));
      const errors = sum(where(hidden, neg(pick(p, tokens)), 0), -1);
      return div(sum(mul(errors, div(count, hide))), sum(count));
    },
    decode(params, tokens, order, how, key) {
      const { perRound = 1, first = "surest", temperature = 1 } = how;
      const rounds = decodingRounds(how);
      if (!(perRound >= 1)) fail("decode", `perRound is ${perRound}; it must be at least 1.`);
      if (!(temperature > 0))
        fail(
          "decode",
          `temperature is ${temperature}; it must be above 0. For greedy decoding leave out the key.`,
        );
      if (first === "random" && !key) return fail("decode", 'first: "random" needs a key.');
      const later = rounds + 1;
      const begin: Decoded = {
        tokens,
        order: where(gt(order, 0), later, order),
        logProb: zeros(tokens.shape),
      };
      const { carry } = scan(
        (now: Decoded, round: Tensor) => {
          const [drawKey, orderKey] = key ? random.splitKey(random.foldKey(key, round)) : [];
          const hidden = eq(now.order, later);
          const p = logProbsOf(
            params,
            states(params, where(hidden, mask, now.tokens), now.order),
            temperature,
          );
          const drawn = argmax(drawKey ? add(p, random.gumbel(drawKey, p.shape)) : p, -1);
          // Confidence of the position, not of the sampled token: if the order depended on the sample, the sample's
          // probability would differ from that of the trace.
          const sure = first === "surest" ? max(p, -1) : random.uniform(orderKey!, hidden.shape);
          const chosen = and(hidden, lt(rankOf(where(hidden, sure, never), true), perRound));
          return [
            {
              tokens: where(chosen, drawn, now.tokens),
              order: where(chosen, round, now.order),
              logProb: where(chosen, pick(p, drawn), now.logProb),
            },
            undefined,
          ] as const;
        },
        begin,
        add(iota([rounds]), 1),
      );
      return { ...carry, tokens: where(eq(carry.order, later), mask, carry.tokens) };
    },
    traceLogProb(params, tokens, order, { rounds, temperature }) {
      const [rows, time] = tokens.shape;
      const all = [rounds, rows, time];
      const round = add(iota(all, 0), 1);
      const each = (t: Tensor) => broadcastTo(expandDims(t, 0), all);
      // Rounds along the batch: positions of this round or later are masked.
      const texts = where(ge(each(order), round), mask, each(tokens));
      const flat = (t: Tensor) => reshape(t, [rounds * rows, time]);
      const hidden = states(params, flat(texts), flat(each(order)));
      // Each position has one round that counts: select its hidden states before computing logits.
      const own = expandDims(eq(each(order), round), -1);
      const picked = sum(where(own, reshape(hidden, [...all, hidden.shape[2]]), 0), 0);
      const p = logProbsOf(params, picked, temperature);
      const written = and(gt(order, 0), lt(order, rounds + 1));
      return {
        logProb: where(written, pick(p, tokens), 0),
        entropy: where(written, neg(sum(mul(exp(p), p), -1)), 0),
      };
    },
  };
}

/** The rank of each element in its row. */
const rankOf = (x: Tensor, descending: boolean): Tensor => argsort(argsort(x, -1, descending), -1);
