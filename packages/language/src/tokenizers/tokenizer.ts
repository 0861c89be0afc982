/**
 * Text to tokens and back. Sampled tokens are never re-encoded: decoding is for people and verifiers, not for
 * training.
 */
export interface Tokenizer {
  /** Vocabulary size; ids are below it. */
  readonly size: number;
  /** End of an answer. */
  readonly end: number;
  /** Beginning of every text, if the model has such a token. */
  readonly begin?: number;
  /** Padding; never read. */
  readonly pad: number;
  encode(text: string): number[];
  /** Texts that `encode` turns into special tokens. In messages of users and tools they stay text. */
  readonly specialTokens?: readonly string[];
  /**
   * Encodes a text in another thread, with the same ids as `encode`. For texts of many kilobytes, which would block
   * the process.
   */
  encodeInBackground?(text: string): Promise<number[]>;
  /** Maximum number of bytes of one token; undefined if unbounded. */
  longestToken?(): number | undefined;
  /** The text of tokens, without special ones. */
  decode(tokens: Iterable<number>): string;
  /** The text of one token for display, special ones included. */
  textOf(token: number): string;
  /** The bytes that a token adds to a text, which may be part of a character; undefined for special tokens. */
  bytesOf(token: number): Uint8Array | undefined;
}
