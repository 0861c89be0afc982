import type { Episode, JudgedEpisode, ScoringPolicy, Selection } from "@reins/core";
import { groupEpisodes, scoreOf } from "@reins/core/episodes";
import { episodeScores } from "@reins/core/loops";
import { defaultRng, stream } from "@reins/core/random";
import { answerOf, characters, textEpisode } from "@reins/language";
import { exp, type Tree } from "@reins/tensor";
import { countTraces, imitationParts, tracedGrpo } from "../shared/traces.ts";
import { tracesTask } from "../testbeds/traces.ts";
import { resultOnly } from "./ampo-multi-guidance.parts.ts";

const tokenizer = characters(tracesTask.alphabet);

/** The reasoning of a sample with the correct result as its last step, as a demonstration; undefined if the sample has another number of steps. */
export function explanation(sample: Episode): Episode | undefined {
  const { problem, text } = answerOf(sample);
  if (text.length !== problem.answer.length) return undefined;
  const own = text.slice(0, -1) + problem.answer.slice(-1);
  return textEpisode(
    [
      { by: "environment", tokens: tokenizer.encode(problem.prompt) },
      { by: "teacher", tokens: [...tokenizer.encode(own), tokenizer.end] },
    ],
    {
      task: sample.task,
      group: sample.group,
      context: sample.context,
      truncated: false,
      role: "teacher",
      answered: { problem, text: own, ended: "end" },
    },
  );
}

/** An index, drawn in proportion to the weights. */
export function drawn(weights: readonly number[], uniform: number): number {
  let left = uniform * weights.reduce((a, b) => a + b, 0);
  const found = weights.findIndex((w) => (left -= w) < 0);
  return found < 0 ? weights.length - 1 : found;
}

/** Joins an explanation to each group without a success, drawn in proportion to the weight of the group's explanations. */
export const explaining = (weight: (explanation: Episode) => number, uniform: () => number): Selection => ({
  select: (judged) =>
    groupEpisodes(judged).flatMap((group): JudgedEpisode[] => {
      if (group.some((j) => scoreOf(j) >= 1)) return group;
      const all = group.flatMap((j) => explanation(j.episode) ?? []);
      if (all.length === 0) return group;
      const episode = all[drawn(all.map(weight), uniform())];
      return [...group, { episode, verdict: { reward: 0 }, reward: 0 }];
    }),
});

/** The probability of the result after the steps of an explanation. */
function resultProbability(policy: ScoringPolicy): (weights: Tree, explanation: Episode) => number {
  const scores = episodeScores(policy, "teacher", ({ logProb }) => ({ p: exp(logProb) }));
  return (weights, explanation) => scores(weights, [resultOnly(explanation)]).p;
}

/** GRPO with a supervised term on self-explanations of problems without a success. */
export const expo = (conditioned: boolean) =>
  tracedGrpo("expo", (_, settings, { policy, rollout }, { seed }) => {
    const random = defaultRng(stream(seed, "expo"));
    const probability = resultProbability(policy);
    let weights: Tree;
    return {
      rollout(input) {
        weights = input.weights;
        return countTraces(rollout!(input));
      },
      selection: explaining(
        (e) => (conditioned ? probability(weights, e) : 1),
        () => random.random(),
      ),
      ...imitationParts(1, settings),
    };
  });
