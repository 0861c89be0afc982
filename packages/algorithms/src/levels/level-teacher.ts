import type { Saved } from "@reins/core";

/** A level to be played: one of those kept, by its number, or a new one. */
export interface Assigned<L> {
  readonly level: L;
  readonly id: number;
}

/** Who says which level is played next, and is told how it went: how far the critic was off, and what was earned. */
export interface LevelTeacher<L> extends Saved {
  next(): Assigned<L>;
  told(assigned: Assigned<L>, error: number, earned: number): void;
  /** How much of training is over, from 0 to 1. */
  progress: number;
}
