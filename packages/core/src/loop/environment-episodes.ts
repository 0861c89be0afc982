import type { AlgorithmContext } from "../algorithm.ts";
import type { Env } from "../env.ts";
import { fail } from "../errors.ts";
import { rowSeeds } from "../forms/row-seeds.ts";
import { single } from "../forms/single.ts";
import { environment } from "../judge.ts";
import type { Policy } from "../policy.ts";
import type { Episodes } from "../stage.ts";
import { stream } from "../stream.ts";
import { EpisodeRollout } from "./episode-rollout.ts";

/** What plays environments to the end of their episodes if a place has no stage. */
export interface EpisodePolicy {
  readonly policy: Policy;
  /** Episodes played at the same time. */
  readonly rows: number;
}

/** Whole episodes in any place: those of its stage, or episodes of its environments, judged by their own reward. */
export function episodesIn(context: AlgorithmContext, otherwise: () => EpisodePolicy): Episodes {
  if (context.place.stage) return context.place.stage;
  const { policy, rows } = otherwise();
  return {
    policy,
    judge: environment,
    play: (playing) => new EpisodeRollout({ ...playing, policy, envs: copies(context, rows) }),
  };
}

/** Environments for whole episodes, each with its own random numbers. */
function copies(context: AlgorithmContext, count: number): Env[] {
  const { id, agents } = context.spec;
  if (agents)
    fail(
      id,
      `it has ${agents.names.length} agents, but methods that learn from whole episodes support one. Use ppo, which supports several agents.`,
    );
  const seeds = rowSeeds(stream(context.seed, "environments"), count, context.spec.id);
  return seeds.map((seed) => {
    const env = single(context.env(1));
    env.reset({ seed });
    return env;
  });
}
