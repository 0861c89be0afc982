import type { Io } from "../terminal/io.ts";
import type { Flags } from "./flags.ts";

/** One command of `reins`. */
export interface Command {
  /** Usage line, without `reins`. */
  readonly usage: string;
  /** What it does, in a few sentences. */
  readonly about: string;
  /** Flags by heading; they may depend on the arguments. */
  groups(args: readonly string[]): { readonly [heading: string]: Flags };
  /** The arguments with names instead of code files, which are loaded so that help can describe them. */
  named?(args: readonly string[]): Promise<readonly string[]>;
  readonly examples: readonly (readonly [command: string, what: string])[];
  /** Runs the command and resolves to its exit code (default 0). */
  run(args: readonly string[], io: Io): Promise<number | undefined>;
}
