import type { Random } from "./random.ts";
import type { Scratch } from "./scratch.ts";

/** Outcome of one trial. */
export interface Outcome {
  /** A short description of the attack. */
  readonly what: string;
  /** Counters that are summed over all trials: kills, named errors, … */
  readonly counts: { readonly [name: string]: number };
  /** Failures; empty if the trial passed. */
  readonly findings: readonly string[];
}

/** A prepared campaign. Trials are independent of each other and of their order. */
export interface Session {
  trial(number: number, random: Random): Promise<Outcome>;
  close?(): void | Promise<void>;
}

/** Options of preparing a campaign. */
export interface OpenOptions {
  readonly seed: number;
  /** Names of the configurations to attack (default: all). */
  readonly of?: readonly string[];
}

/** A kind of attack. */
export interface Campaign {
  readonly name: string;
  /** A sentence for `--help`. */
  readonly about: string;
  /** Counters, in the order of the table. */
  readonly columns: readonly string[];
  /** The counter that `--count` refers to, reported first. */
  readonly unit: string;
  open(scratch: Scratch, options: OpenOptions): Promise<Session>;
}
