import type { Generated } from "../generation/sequence.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";

/**
 * Streams a growing text: complete characters only, and nothing that may be the beginning of a stop string. Each call
 * decodes only the latest tokens, so that the cost of a text is linear in its length.
 */
export class TextStream {
  private readonly tokenizer: Tokenizer;
  private readonly stop: readonly string[];
  /** Characters sent, and decoded characters that are not sent yet. */
  private given = 0;
  private held = "";
  private stopped = false;
  /** Tokens `window` to `from` are decoded again as context of those from `from` on, and their length. */
  private window = 0;
  private from = 0;
  private context = 0;
  /** Characters taken of the tokens from `from` on. */
  private taken = 0;
  /** Tokens looked at, and continuation bytes that their last character still needs. */
  private read = 0;
  private needed = 0;

  constructor(tokenizer: Tokenizer, stop: readonly string[]) {
    this.tokenizer = tokenizer;
    this.stop = stop;
  }

  /** The new part of a growing text. */
  more({ tokens }: Pick<Generated, "tokens">): string {
    if (this.stopped) return "";
    for (; this.read < tokens.length; this.read++) {
      const bytes = this.tokenizer.bytesOf(tokens[this.read]);
      // A character that this token does not continue is complete, whatever it still needed.
      if (bytes?.length && !continues(bytes[0])) this.settle(tokens, this.read);
      for (const byte of bytes ?? [])
        this.needed = continues(byte) ? Math.max(0, this.needed - 1) : neededAfter(byte);
    }
    const text = this.decode(tokens, this.read);
    this.take(this.needed > 0 ? text.replace(/\uFFFD{1,3}$/, "") : text);
    const piece = this.held.slice(0, this.held.length - this.heldBack());
    this.held = this.held.slice(piece.length);
    this.given += piece.length;
    return piece;
  }

  /** The rest of a finished text. */
  rest(text: string): string {
    const piece = text.slice(this.given);
    this.given = Math.max(this.given, text.length);
    return piece;
  }

  /** The text of tokens from `from` on. Some decoders treat a first token differently, hence the context. */
  private decode(tokens: readonly number[], end: number): string {
    return this.tokenizer.decode(tokens.slice(this.window, end)).slice(this.context);
  }

  private take(text: string): void {
    this.held += text.slice(this.taken);
    this.taken = Math.max(this.taken, text.length);
  }

  /** Moves the window up to a token that begins a character. */
  private settle(tokens: readonly number[], end: number): void {
    if (end - this.from < windowLength) return;
    this.take(this.decode(tokens, end));
    this.window = this.from;
    this.from = end;
    this.context = this.tokenizer.decode(tokens.slice(this.window, end)).length;
    this.taken = 0;
  }

  /** Length of the suffix to hold back: a possible beginning of a stop string, or everything from a complete one on. */
  private heldBack(): number {
    const { held, stop } = this;
    let most = 0;
    for (const s of stop) {
      const at = held.indexOf(s);
      if (at >= 0) {
        this.stopped = true;
        most = Math.max(most, held.length - at);
      }
      for (let n = Math.min(s.length - 1, held.length); n > most; n--)
        if (held.endsWith(s.slice(0, n))) most = n;
    }
    return most;
  }
}

/** Tokens of a window before it moves. */
const windowLength = 2;

/** Whether a byte continues a UTF-8 character. */
const continues = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Continuation bytes that follow a first byte. */
const neededAfter = (byte: number): number => (byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0);
