import type { Context } from "../algorithm.ts";
import type { Env } from "../env.ts";
import { rowSeeds } from "../forms/row-seeds.ts";
import { single } from "../forms/single.ts";
import { environment } from "../judge.ts";
import type { Policy } from "../policy.ts";
import type { Episodes } from "../stage.ts";
import { stream } from "../stream.ts";
import { EpisodeRollout } from "./episode-rollout.ts";

/** What plays environments to their end where a place has no stage of its own. */
export interface EnvironmentPlays {
  readonly policy: Policy;
  /** Episodes played at the same time. */
  readonly rows: number;
}

/** Whole episodes in any place: those of its stage, or its environments played to the end, whose own reward judges them. */
export function episodesIn(context: Context, otherwise: () => EnvironmentPlays): Episodes {
  if (context.place.stage) return context.place.stage;
  const { policy, rows } = otherwise();
  return {
    policy,
    judge: environment,
    play: (playing) => new EpisodeRollout({ ...playing, policy, envs: copies(context, rows) }),
  };
}

/** Environments to play whole episodes in, each with random numbers of its own. */
function copies(context: Context, count: number): Env[] {
  const seeds = rowSeeds(stream(context.seed, "environments"), count, context.spec.id);
  return seeds.map((seed) => {
    const env = single(context.env(1));
    env.reset({ seed });
    return env;
  });
}
