/** Text to tokens and back. What a model has sampled stays tokens: decoding is for people and verifiers, never for training. */
export interface Tokenizer {
  /** Number of different tokens; ids are below it. */
  readonly size: number;
  /** Ends an answer. */
  readonly end: number;
  /** Stands before every text that the model has seen, where there is such a token. */
  readonly begin?: number;
  /** Fills rows up to a common length; never read. */
  readonly pad: number;
  encode(text: string): number[];
  /** Encodes a text in another thread, with the same ids as `encode`. For texts of many kilobytes, which would hold up the process. */
  encodeInBackground?(text: string): Promise<number[]>;
  /** Maximum number of bytes that one token stands for; undefined if unbounded. */
  longestToken?(): number | undefined;
  /** The text of tokens; special ones are left out. */
  decode(tokens: Iterable<number>): string;
  /** The text of one token for people to read, special ones included. */
  textOf(token: number): string;
  /** The bytes that a token adds to a text, which may be a part of a character; undefined for special ones. */
  bytesOf(token: number): Uint8Array | undefined;
}
