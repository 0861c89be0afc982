import type { LevelGenerator } from "./level.ts";

/** Tasks of grid worlds. */
export type GridWorldTask =
  /** Reach a goal. */
  | "goal"
  /** Call "done" next to the target; toggling anything ends the episode. */
  | "goTo"
  /** Pick up the target. */
  | "pickUp"
  /** Reach a goal without a collision, which costs 1 and ends the episode. */
  | "dodge";

/** Definition of a world. */
export interface GridWorldDefinition {
  /** Name and version. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Maximum steps per episode before truncation. */
  readonly maxSteps: number;
  readonly generate: LevelGenerator;
  readonly rule: GridWorldTask;
  /** The mission; `COLOR` and `KIND` in it stand for its target's. */
  readonly mission: string;
  /** Whether the agent sees through walls and doors. */
  readonly seeThrough?: boolean;
}
