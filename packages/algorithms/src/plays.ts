import { type Context, type Env, rowSeeds, single, stream } from "@reins/core";

/** Environments to play whole episodes in, each with random numbers of its own. */
export function plays(context: Context, count: number): Env[] {
  const seeds = rowSeeds(stream(context.seed, "environments"), count, context.spec.id);
  return seeds.map((seed) => {
    const env = single(context.env(1));
    env.reset({ seed });
    return env;
  });
}
