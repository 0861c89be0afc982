import type { Maker } from "@reins/core";
import type { Generated } from "./sequence.ts";

/** A span of tokens with one author, and what its generation recorded for each token. */
export interface Span extends Pick<Generated, "tokens">, Partial<Omit<Generated, "tokens" | "ended">> {
  readonly by: Maker;
  /** Number of the model's own turn in a conversation; undefined for messages of others. */
  readonly turn?: number;
}

/**
 * A generated text as a span. Names every column: a rest pattern that omits `ended`, or a spread that adds `turn`, is
 * several times slower.
 */
export const spanOf = (
  { tokens, logProb, modelLogProb, entropy, version, kept, temperature }: Omit<Span, "by" | "turn">,
  by: Maker,
  turn?: number,
): Span =>
  ({ by, turn, tokens, logProb, modelLogProb, entropy, version, kept, temperature }) satisfies Required<
    Record<keyof Span, unknown>
  >;
