import type { Random } from "./random.ts";
import type { Scratch } from "./scratch.ts";

/** What came of one trial. */
export interface Outcome {
  /** What was done, in a few words: enough to see what to look at. */
  readonly what: string;
  /** Things that are counted over all trials: kills, named errors, … */
  readonly counts: { readonly [name: string]: number };
  /** What should not have happened; nothing if all is well. */
  readonly findings: readonly string[];
}

/** A campaign that has been prepared. Trials are independent of each other and of their order. */
export interface Session {
  trial(number: number, random: Random): Promise<Outcome>;
  close?(): void | Promise<void>;
}

/** How a campaign is prepared. */
export interface OpenOptions {
  readonly seed: number;
  /** Names of the configurations to attack, where there are several; all if absent. */
  readonly of?: readonly string[];
}

/** A kind of attack. */
export interface Campaign {
  readonly name: string;
  /** A sentence for `--help`. */
  readonly about: string;
  /** Counters, in the order of the table. */
  readonly columns: readonly string[];
  /** Counter that `--count` is about, and that is reported first. */
  readonly unit: string;
  open(scratch: Scratch, options: OpenOptions): Promise<Session>;
}
