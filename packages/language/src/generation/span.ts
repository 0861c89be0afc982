import type { Maker } from "@reins/core";
import type { Generated } from "./sequence.ts";

/** A span of tokens with one author, and what its generation recorded for each token. */
export interface Span extends Pick<Generated, "tokens">, Partial<Omit<Generated, "tokens" | "ended">> {
  readonly by: Maker;
}
