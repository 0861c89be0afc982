import type { Saved } from "@reins/core";

/** A level to play: a stored one, by its id, or a new one. */
export interface AssignedLevel<L> {
  readonly level: L;
  readonly id: number;
}

/** Chooses the next level, and is updated with the critic's error and the return of finished levels. */
export interface LevelTeacher<L> extends Saved {
  next(): AssignedLevel<L>;
  update(assigned: AssignedLevel<L>, error: number, rewards: number): void;
  /** Training progress, from 0 to 1. */
  progress: number;
}
