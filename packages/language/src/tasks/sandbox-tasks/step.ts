/** A step of a program: its words, its JavaScript around the text so far, and its function. */
export interface Step<In, Out> {
  readonly words: string;
  readonly code: (of: string) => string;
  readonly run: (of: In) => Out;
}

export const step = <In, Out>(
  words: string,
  code: (of: string) => string,
  run: (of: In) => Out,
): Step<In, Out> => ({ words, code, run });
