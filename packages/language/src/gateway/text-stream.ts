import type { Generated } from "../generation/sequence.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";

/** Streams a growing text: complete characters only, and nothing that may be the beginning of a stop string. */
export class TextStream {
  private given = 0;
  private readonly tokenizer: Tokenizer;
  private readonly stop: readonly string[];

  constructor(tokenizer: Tokenizer, stop: readonly string[]) {
    this.tokenizer = tokenizer;
    this.stop = stop;
  }

  /** The new part of a growing text. */
  more({ tokens }: Pick<Generated, "tokens">): string {
    const text = this.tokenizer.decode(tokens);
    // The last character may be incomplete.
    const whole = text.replace(/\uFFFD+$/, "");
    return this.upTo(whole, whole.length - heldBack(whole, this.stop));
  }

  /** The rest of a finished text. */
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

/** Length of the suffix to hold back: a possible beginning of a stop string, or everything from a complete one on. */
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
