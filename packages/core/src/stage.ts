import type { Judge } from "./judge.ts";
import type { EpisodeRolloutOptions } from "./loop/episode-rollout.ts";
import type { EpisodeSource } from "./loop/episodic.ts";
import type { Policy } from "./policy.ts";

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
}
