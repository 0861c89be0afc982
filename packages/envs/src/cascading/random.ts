import type { Generator } from "@reins/core/random";
import type { CascadingMdp } from "./mdp.ts";

/** Options of a random user. */
export interface RandomCascadingOptions {
  readonly states: number;
  readonly items: number;
  readonly longest: number;
  readonly horizon: number;
  /** Maximum attraction. Lower gives fewer clicks. */
  readonly attraction?: number;
}

/**
 * A random user. Each item leads mostly to one state, and states differ in their rewards: clicks now affect later
 * rewards, so the optimal list is not the one with the most attractive items.
 */
export function randomCascading(random: Generator, options: RandomCascadingOptions): CascadingMdp {
  const { states, items, longest, horizon, attraction = 0.6 } = options;
  const perState = (draw: (state: number) => number) =>
    Array.from({ length: states }, (_, s) => Float64Array.from({ length: items }, () => draw(s)));
  const towards = () => {
    const main = random.integers(states);
    return Float64Array.from({ length: states }, (_, s) => 0.3 / states + (s === main ? 0.7 : 0));
  };
  return {
    states,
    items,
    longest,
    horizon,
    attraction: perState(() => random.uniform(0.05, attraction)),
    reward: perState((s) => ((s + 1) / states) * random.uniform(0.2, 1)),
    transition: Array.from({ length: states }, () => Array.from({ length: items + 1 }, towards)),
  };
}
