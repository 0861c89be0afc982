import type { Episode, EpisodeSource, Snapshot } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { whenReady } from "@reins/core/plans";
import type { Tensor } from "@reins/tensor";

const teacher = makers.indexOf("teacher");

/** A source whose steps include the tokens of reference answers: a run that learns only from these would never end. */
export function withAnswerSteps(source: EpisodeSource): EpisodeSource {
  let answers = 0;
  return {
    get steps() {
      return source.steps + answers;
    },
    next: () =>
      whenReady(source.next(), (episodes) => {
        for (const episode of episodes) answers += taughtSteps(episode);
        return episodes;
      }),
    metrics: () => source.metrics?.() ?? {},
    save: (): Snapshot => ({ source: source.save(), answers }),
    restore(from) {
      const saved = from as { source?: Snapshot; answers?: number };
      // Runs of earlier versions saved the source alone.
      source.restore(saved.source ?? from);
      answers = saved.answers ?? 0;
    },
  };
}

/** Number of tokens of an episode that a teacher wrote. */
function taughtSteps({ columns }: Episode): number {
  const { data } = columns.by as Tensor;
  let count = 0;
  for (let i = 0; i < data.length; i++) if (data[i] === teacher) count++;
  return count;
}
