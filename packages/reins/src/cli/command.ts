import type { Io } from "../terminal/io.ts";
import type { Flags } from "./flags.ts";

/** One command of `reins`. */
export interface Command {
  /** What is typed, without `reins`. */
  readonly usage: string;
  /** What it does, in a few sentences. */
  readonly about: string;
  /** Flags under headings. What depends on the words that were typed is found with them. */
  groups(args: readonly string[]): { readonly [heading: string]: Flags };
  /** The words with names in the place of files of code, which are loaded: help says what is in them, too. */
  named?(args: readonly string[]): Promise<readonly string[]>;
  readonly examples: readonly (readonly [command: string, what: string])[];
  /** Does it; the exit code is 0 unless it says otherwise. */
  run(args: readonly string[], io: Io): Promise<number | undefined>;
}
