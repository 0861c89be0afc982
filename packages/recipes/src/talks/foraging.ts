import { judges, lastOwnStep, type Stage, stepsOf } from "@reins/core";
import { type Conversed, conversedIn, type TextStageOptions } from "@reins/language";
import type { Tensor } from "@reins/tensor";
import { lookups } from "./lookups.ts";
import { searching } from "./searching.ts";
import { trainedOn } from "./trained-on.ts";

/** What answers begin with where a model can be made to answer. */
const mark = ":";

/**
 * The task of recipes about long searches: the model has imitated questions of one and two steps with a teacher who mostly guesses, and is
 * reinforced on those of two, of which nothing is known by heart.
 */
export const foraging = {
  ...searching,
  family: lookups({ id: "ways by haste", hasty: 0.6, mark }),
  levels: [2, 4],
  played: [4],
  options: { ...searching.options, groups: 2 },
  score: { problems: 100, looks: 2 },
  quick: { levels: [2], model: { imitation: 30_000 } },
};

/**
 * What turns earned and what the answer is worth, each beside all of its kind in the group: less their mean, by their deviation. Added up from a turn on
 * they are its advantage, so that the method has nothing to compare any more (`baseline: "none"`, `scale: "none"`, `credit: "turn"`).
 */
export const comparedByKind = (stage: Stage): Stage => ({
  ...stage,
  judge: judges.grouped(async (episodes, court) => {
    const verdicts = await judges.consult(stage.judge, episodes, court);
    const talks: readonly Conversed[] = episodes.map(conversedIn);
    // The last turn is the answer: nothing is learned after it.
    const gains = talks.map(({ rewards }) => rewards.slice(0, -1));
    const gain = besideOthers(gains.flat());
    const answer = besideOthers(verdicts.map((v) => v.score ?? 0));
    return verdicts.map((verdict, i) => {
      const steps = new Float32Array(stepsOf(episodes[i]));
      const { data } = episodes[i].columns.turn as Tensor;
      gains[i].forEach((reward, turn) => {
        steps[data.lastIndexOf(turn + 1)] += gain(reward);
      });
      steps[lastOwnStep(episodes[i])] += answer(verdict.score ?? 0);
      return { ...verdict, reward: steps.reduce((sum, r) => sum + r, 0), steps };
    });
  }),
});

/** A turn earns what it adds to the probability that the model gives to the right answer. */
const informed = trainedOn(
  lookups({
    id: "lookups paid by IGPO",
    mark,
    belief: { truth: ({ data: { path } }) => path[path.length - 1], after: mark, weight: 1 },
  }),
);

/** What a side has that is paid for information (IGPO, Wang et al., 2025): gains and answers are compared with those of the group, each by itself. */
export const informationGain = {
  change: (stage: unknown, options: TextStageOptions) => comparedByKind(informed.change(stage, options)),
};

/** How far one is above the mean of all, in deviations; 0 where all are the same. */
function besideOthers(all: readonly number[]): (one: number) => number {
  const mean = all.reduce((sum, x) => sum + x, 0) / all.length;
  const deviation = Math.sqrt(all.reduce((sum, x) => sum + (x - mean) ** 2, 0) / all.length);
  return (one) => (deviation > 1e-6 ? (one - mean) / deviation : 0);
}
