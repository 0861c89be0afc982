import { inGroups, type Selection } from "../selection.ts";

/** Settings of {@link informative}. */
export interface InformativeOptions {
  /** Plays on until so many groups tell something (dynamic sampling, Yu et al., 2025). Without it, flat groups are only left out. */
  readonly groups?: number;
  /** Batches to play for one update at most (default 4): what there is by then must do. */
  readonly patience?: number;
}

/** Leaves out groups whose episodes all have the same reward: comparing them says nothing. */
export function informative({ groups = 0, patience = 4 }: InformativeOptions = {}): Selection {
  let rounds = 0;
  return {
    choose(judged) {
      const telling = inGroups(judged).filter((g) => g.some((j) => j.reward !== g[0].reward));
      if (telling.length < groups && ++rounds < patience) return undefined;
      rounds = 0;
      return (groups > 0 ? telling.slice(0, groups) : telling).flat();
    },
  };
}
