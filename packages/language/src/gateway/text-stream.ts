import type { Generated } from "../generation/sequence.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";

/** Gives a growing text piece by piece: whole characters alone, and nothing that may still turn out to be a stop string's beginning. */
export class TextStream {
  private given = 0;
  private readonly tokenizer: Tokenizer;
  private readonly stop: readonly string[];

  constructor(tokenizer: Tokenizer, stop: readonly string[]) {
    this.tokenizer = tokenizer;
    this.stop = stop;
  }

  /** What is new of a text that still grows. */
  more({ tokens }: Pick<Generated, "tokens">): string {
    const text = this.tokenizer.decode(tokens);
    // A character of several tokens is not whole yet.
    const whole = text.replace(/\uFFFD+$/, "");
    return this.upTo(whole, whole.length - heldBack(whole, this.stop));
  }

  /** The rest of a text that has ended. */
  rest(text: string): string {
    return this.upTo(text, text.length);
  }

  private upTo(text: string, end: number): string {
    if (end <= this.given) return "";
    const piece = text.slice(this.given, end);
    this.given = end;
    return piece;
  }
}

/** Characters at the end that a stop string may begin with, or all from where one stands. */
function heldBack(text: string, stop: readonly string[]): number {
  let most = 0;
  for (const s of stop) {
    const at = text.indexOf(s);
    if (at >= 0) most = Math.max(most, text.length - at);
    for (let n = Math.min(s.length - 1, text.length); n > most; n--)
      if (text.endsWith(s.slice(0, n))) most = n;
  }
  return most;
}
