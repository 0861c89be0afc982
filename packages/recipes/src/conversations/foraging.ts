import type { Stage } from "@reins/core";
import { lastOwnStep, stepsOf } from "@reins/core/episodes";
import * as judges from "@reins/core/judges";
import { type ConversationResult, conversationResult, type TextStageOptions } from "@reins/language";
import type { Tensor } from "@reins/tensor";
import { lookups } from "./lookups.ts";
import { searching } from "./search.ts";
import { trainOn } from "./train-on.ts";

/** The prefix of answers, for models that can be forced to answer. */
const mark = ":";

/**
 * The task of recipes about long searches: the model has imitated questions of one and two steps with a teacher that mostly guesses, and is
 * trained on those of two steps, whose answers cannot be memorised.
 */
export const foraging = {
  ...searching,
  task: lookups({ id: "ways by haste", hasty: 0.6, mark }),
  levels: [2, 4],
  played: [4],
  options: { ...searching.options, groups: 2 },
  score: { problems: 100, looks: 2 },
  quick: { levels: [2], model: { imitation: 30_000 } },
};

/**
 * Turn rewards and the final reward, each standardised within its kind in the group. Their sums from a turn on
 * are its advantage, so the method needs no further baseline (`baseline: "none"`, `scale: "none"`, `credit: "turn"`).
 */
export const standardisedByKind = (stage: Stage): Stage => ({
  ...stage,
  judge: judges.grouped(async (episodes, court) => {
    const verdicts = await judges.callJudge(stage.judge, episodes, court);
    const talks: readonly ConversationResult[] = episodes.map(conversationResult);
    // The last turn is the answer, so it has no gain.
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

/** A turn's reward is the increase in the probability that the model gives to the correct answer. */
const informed = trainOn(
  lookups({
    id: "lookups paid by IGPO",
    mark,
    belief: { truth: ({ data: { path } }) => path[path.length - 1], after: mark, weight: 1 },
  }),
);

/** Options of an arm with information-gain rewards (IGPO, Wang et al., 2025): gains and answers are standardised separately within the group. */
export const informationGain = {
  change: (stage: unknown, options: TextStageOptions) => standardisedByKind(informed.change(stage, options)),
};

/** Standard score relative to all values; 0 if they are equal. */
function besideOthers(all: readonly number[]): (one: number) => number {
  const mean = all.reduce((sum, x) => sum + x, 0) / all.length;
  const deviation = Math.sqrt(all.reduce((sum, x) => sum + (x - mean) ** 2, 0) / all.length);
  return (one) => (deviation > 1e-6 ? (one - mean) / deviation : 0);
}
