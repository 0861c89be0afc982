/**
 * Recorded examples, read one at a time: lines of a file, rows of a table, transitions of a log. A source never changes, and may be
 * larger than the memory. Supervised and preference methods read texts from it, offline methods the steps of an environment.
 */
export interface ExampleSource<T = unknown> {
  /** Name in messages: the file, if there is one. */
  readonly name: string;
  /** Number of examples. */
  readonly count: number;
  /** Hash of the contents: a run resumes exactly only with the same examples. */
  readonly digest: string;
  /** The example at this index, from 0. Throws, naming its location, if it is malformed. */
  read(index: number): T;
  /** Location of an example for messages: `data.jsonl, line 7`. */
  locate(index: number): string;
  /** Releases files. */
  close?(): void;
}
