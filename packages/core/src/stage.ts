import type { Tree } from "@reins/tensor";
import type { Evaluated } from "./evaluate.ts";
import type { Judge } from "./judge.ts";
import type { EpisodeRolloutOptions } from "./loop/episode-rollout.ts";
import type { EpisodeSource } from "./loop/episodic.ts";
import type { PlayOptions } from "./play.ts";
import type { Policy } from "./policy.ts";
import type { Value } from "./space.ts";

/** What plays a task's problems, and with what. */
export type Playing = Omit<EpisodeRolloutOptions, "envs">;

/**
 * Where whole episodes come from when no environment is stepped: a language model that answers problems, a game by mail. It has the
 * policy that acts there, a way to play the task's problems, and a judge. Methods that learn from episodes take it as it is.
 */
export interface Stage {
  readonly policy: Policy;
  play(playing: Playing): EpisodeSource;
  /** Episodes in which a teacher shows how it is done, for imitation. */
  show?(playing: Playing): EpisodeSource;
  readonly judge: Judge;
  /** The mean score of these weights over problems that training never sees. */
  evaluate(weights: Tree, options?: StageEvaluation): Promise<Evaluated>;
  /** What these weights answer to one observation. */
  answer(weights: Tree, observation: Value): Value;
}

/** How a policy is measured on a stage. */
export interface StageEvaluation extends PlayOptions {
  /** Problems to play; 100 by default. */
  readonly episodes?: number;
}
