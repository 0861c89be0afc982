import type { EnvSpec, VectorEnv } from "./env.ts";
import { fail } from "./errors.ts";
import type { Stage } from "./stage.ts";

/** Where steps are taken: what environments are like there, and how to make some. They can be played as whole episodes too. */
export interface StepPlace {
  readonly spec: EnvSpec;
  make(rows: number): VectorEnv;
  /** Where agents are measured, if that differs from where they are trained: statistics that stand still. */
  readonly evaluation?: StepPlace;
  readonly stage?: undefined;
}

/** Where whole episodes are played and nothing is stepped: problems in words, games by mail. */
export interface EpisodePlace {
  readonly spec: EnvSpec;
  readonly stage: Stage;
  readonly make?: undefined;
}

/** Where nothing is played: what is learned from was recorded before, or the method brings its own. */
export interface RecordPlace {
  readonly spec: EnvSpec;
  readonly make?: undefined;
  readonly stage?: undefined;
}

/** Where a run takes place. */
export type Place = StepPlace | EpisodePlace | RecordPlace;

/** What a method learns from: steps, which only environments have; episodes, of a stage of their own; or both. */
export type LearnsFrom = "steps" | "episodes" | "both";

/** Refuses a place that has not what a method learns from. */
export function admitPlace(name: string, learnsFrom: LearnsFrom, { spec, make, stage }: Place): void {
  if (stage && learnsFrom === "steps")
    fail(
      name,
      `${spec.id} is played in whole episodes, and ${name} learns from single steps. Use a method that learns from episodes, such as grpo; \`reins algorithms\` says which do.`,
    );
  if (make && learnsFrom === "episodes")
    fail(
      name,
      `${spec.id} is an environment that is stepped, and ${name} learns from episodes of a stage, such as a task in words. Use ppo or dqn there.`,
    );
}

/** The place, if it has environments. */
export function requireSteps(place: Place): StepPlace {
  if (place.make) return place;
  return fail(
    place.spec.id,
    place.stage
      ? "it is played in whole episodes: there is nothing to step."
      : "nothing is played here: what is learned from was recorded.",
  );
}
