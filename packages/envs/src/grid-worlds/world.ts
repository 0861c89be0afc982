import type { LevelGenerator } from "./level.ts";

/** What must be done in a world. */
export type Rule =
  /** Reach a goal. */
  | "goal"
  /** Say "done" beside the target; to toggle anything ends the episode. */
  | "goTo"
  /** Pick up the target. */
  | "pickUp"
  /** Reach a goal, and run into nothing on the way: that costs 1 and ends the episode. */
  | "dodge";

/** What a world is made of. */
export interface World {
  /** Name and version. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Steps until an episode is truncated. */
  readonly maxSteps: number;
  readonly generate: LevelGenerator;
  readonly rule: Rule;
  /** What the agent is told; `COLOR` and `KIND` in it stand for its target's. */
  readonly mission: string;
  /** Whether it looks through walls and doors. */
  readonly seeThrough?: boolean;
}
