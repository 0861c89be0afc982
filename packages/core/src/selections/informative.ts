import { groupEpisodes, type Selection } from "../selection.ts";

/** Settings of {@link nonZeroVariance}. */
export interface NonZeroVarianceOptions {
  /** Samples until this many groups have a learning signal (dynamic sampling, Yu et al., 2025). Without it, groups of equal rewards are only dropped. */
  readonly groups?: number;
  /** Maximum number of batches per update (default 4); then it trains on what it has. */
  readonly patience?: number;
}

/** Drops groups whose episodes all have the same reward: their advantages are 0. */
export function nonZeroVariance({ groups = 0, patience = 4 }: NonZeroVarianceOptions = {}): Selection {
  let rounds = 0;
  return {
    select(judged) {
      const telling = groupEpisodes(judged).filter((g) => g.some((j) => j.reward !== g[0].reward));
      if (telling.length < groups && ++rounds < patience) return undefined;
      rounds = 0;
      return (groups > 0 ? telling.slice(0, groups) : telling).flat();
    },
  };
}
