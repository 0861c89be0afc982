import { type Context, type Env, single } from "@reins/core";

/** Environments to play whole episodes in, each with random numbers of its own from the run's seed on. */
export function plays(context: Context, count: number): Env[] {
  return Array.from({ length: count }, (_, i) => {
    const env = single(context.env(1));
    env.reset({ seed: context.seed + i });
    return env;
  });
}
