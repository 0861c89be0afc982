import type { Maker } from "@reins/core";
import type { Generated } from "./sequence.ts";

/** A span of tokens with one author, and what its generation recorded for each token. */
export interface Span extends Pick<Generated, "tokens">, Partial<Omit<Generated, "tokens" | "ended">> {
  readonly by: Maker;
  /** Number of the model's own turn in a conversation; undefined for messages of others. */
  readonly turn?: number;
}

/** A generated text as a span. */
export const spanOf = ({ ended: _, ...text }: Generated, by: Maker): Span => ({ ...text, by });
