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

/** Settings of {@link maskedDiffusion}: those of a decoder, which sees both ways. */
export interface DiffusionOptions extends Omit<GptOptions, "causal"> {
  /** The token that hides another. It is never written. */
  readonly mask: number;
}

/** How a text is written. */
export interface DecodeOptions {
  /** Most positions to write in a row. */
  readonly length: number;
  /** Positions a round; 1 by default. More is faster and takes tokens as independent that are not (1 to length / 4). */
  readonly perRound?: number;
  /** Which come first: those where the model is surest of some token (default), or any. */
  readonly first?: "surest" | "random";
  /** Higher is more random (0.3 to 1.2; 1 by default). */
  readonly temperature?: number;
}

/** What was written, when, and how likely it was: [batch, time] each. */
export type Decoded = { tokens: Tensor; order: Tensor; logProbs: Tensor };

/**
 * A model that writes a text in any order: it begins with masks and uncovers some positions a round (Sahoo et al., 2024; Nie et al.,
 * 2025). The order (i32 [batch, time]) says what each position is: -1 is given, 0 is not there, and r ≥ 1 is written in round r.
 */
export interface MaskedDiffusion {
  readonly options: DiffusionOptions;
  /** The decoder that guesses hidden tokens. */
  readonly model: Gpt;
  /**
   * A bound on the negative log-likelihood of what is written, a token, in expectation over keys: some positions are hidden, and the
   * errors there are weighted by 1/t, where t is the hidden share. Without an order all of the text is written; rounds do not matter.
   */
  loss(params: GptParams, tokens: Tensor, key: Tensor, order?: Tensor): Tensor;
  /** Writes where the order is above 0; what `tokens` has there is not looked at. Without a key, the likeliest tokens. */
  decode(params: GptParams, tokens: Tensor, order: Tensor, options: DecodeOptions, key?: Tensor): Decoded;
  /**
   * Log-probabilities (0 where nothing was written) and entropies of written tokens, each given what was uncovered before its
   * round: those of decoding, in one pass over all rounds. Differentiable. `rounds` is the last round there may be.
   */
  traceLogProb(
    params: GptParams,
    tokens: Tensor,
    order: Tensor,
    options: { readonly rounds: number; readonly temperature?: number },
  ): { logProbs: Tensor; entropies: Tensor };
}

/** Rounds that decoding takes. */
export const roundsOf = ({ length, perRound = 1 }: DecodeOptions): number => Math.ceil(length / perRound);

/** A logit so low that its token is never drawn, and that no sum makes infinite. */
const never = -1e30;

/** Masked diffusion of tokens; `model` may be another one of these options, such as one with adapters. */
export function maskedDiffusion(
  options: DiffusionOptions,
  model: Gpt = gpt({ ...options, causal: false }),
): MaskedDiffusion {
  const { mask, vocabulary } = options;
  if (!(Number.isInteger(mask) && mask >= 0 && mask < vocabulary))
    fail("maskedDiffusion", `the mask is token ${mask}; it must be one of the ${vocabulary}.`);
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
      // Any number of hidden positions is as likely as any other, which is the same as drawing t, and less noisy. Rows are spread evenly.
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
      const rounds = roundsOf(how);
      if (!(perRound >= 1)) fail("decode", `perRound is ${perRound}; it must be 1 or more.`);
      if (!(temperature > 0))
        fail("decode", `the temperature is ${temperature}. Leave out the key for the likeliest tokens.`);
      if (first === "random" && !key) return fail("decode", "a random order needs a key.");
      const later = rounds + 1;
      const begin: Decoded = {
        tokens,
        order: where(gt(order, 0), later, order),
        logProbs: zeros(tokens.shape),
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
          // Sure of the place, not of what was drawn: which positions come first must not depend on the draw, or else its probability
          // would not be that of the trace.
          const sure = first === "surest" ? max(p, -1) : random.uniform(orderKey!, hidden.shape);
          const chosen = and(hidden, lt(rankOf(where(hidden, sure, never), true), perRound));
          return [
            {
              tokens: where(chosen, drawn, now.tokens),
              order: where(chosen, round, now.order),
              logProbs: where(chosen, pick(p, drawn), now.logProbs),
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
      // Round by round along the batch: what is written in this round or later is hidden.
      const texts = where(ge(each(order), round), mask, each(tokens));
      const flat = (t: Tensor) => reshape(t, [rounds * rows, time]);
      const hidden = states(params, flat(texts), flat(each(order)));
      // Each position has one round that counts: its states are picked before logits are made of them.
      const own = expandDims(eq(each(order), round), -1);
      const picked = sum(where(own, reshape(hidden, [...all, hidden.shape[2]]), 0), 0);
      const p = logProbsOf(params, picked, temperature);
      const written = and(gt(order, 0), lt(order, rounds + 1));
      return {
        logProbs: where(written, pick(p, tokens), 0),
        entropies: where(written, neg(sum(mul(exp(p), p), -1)), 0),
      };
    },
  };
}

/** The place of each element when its row is sorted. */
const rankOf = (x: Tensor, descending: boolean): Tensor => argsort(argsort(x, -1, descending), -1);
