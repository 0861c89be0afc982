/** Text to tokens and back. What a model has sampled stays tokens: decoding is for people and verifiers, never for training. */
export interface Tokenizer {
  /** Number of different tokens; ids are below it. */
  readonly size: number;
  /** Ends an answer. */
  readonly end: number;
  /** Fills rows up to a common length; never read. */
  readonly pad: number;
  encode(text: string): number[];
  /** The text of tokens; special ones are left out. */
  decode(tokens: Iterable<number>): string;
  /** The text of one token, special ones included: what constrained decoding looks at. */
  textOf(token: number): string;
}
