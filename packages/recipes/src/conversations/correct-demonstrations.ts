import type { Episode, EpisodeSource, RolloutInput, Stage } from "@reins/core";
import { Statistics } from "@reins/core/metrics";

/** Keeps only fully correct demonstrations; all of them count towards the budget. */
export const correctDemonstrations = (stage: Stage): Stage => ({
  ...stage,
  demonstrations(playing: RolloutInput): EpisodeSource {
    const source = stage.demonstrations!(playing);
    const court = { statistics: new Statistics() };
    return {
      get steps() {
        return source.steps;
      },
      async next() {
        const kept: Episode[] = [];
        while (kept.length === 0) {
          const shown = await source.next();
          const verdicts = await stage.judge(shown, court);
          kept.push(...shown.filter((_, i) => verdicts[i].reward === 1));
        }
        return kept;
      },
      save: () => source.save(),
      restore: (from) => source.restore(from),
    };
  },
});
