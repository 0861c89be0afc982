/** A language task: the part of `Family` of `@reins/language` that is needed without that package. */
export interface Verifiable {
  readonly id: string;
  readonly levels: number;
  verify(problem: never, answer: string): unknown;
}
