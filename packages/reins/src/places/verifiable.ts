/** Problems in words: a `Family` of `@reins/language`, as far as it is looked at where that may not be installed. */
export interface Verifiable {
  readonly id: string;
  readonly levels: number;
  verify(problem: never, answer: string): unknown;
}
