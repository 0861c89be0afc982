import { Tensor } from "@reins/tensor";
import { type Episode, makers, ownSteps } from "../episode.ts";
import { groupEpisodes, type JudgedEpisode } from "../selection.ts";
import { correlation } from "./columns.ts";
import type { History } from "./history.ts";
import { type Diagnostic, diagnostic, show } from "./rule.ts";

/** Whether the reward rose by some standard deviations of the first rewards, in rounds that have it. */
function isRising(history: History, { rounds, deviations }: { rounds: number; deviations: number }): boolean {
  if (history.of("reward/mean").length < rounds) return false;
  return (
    history.late("reward/mean") - history.early("reward/mean") > deviations * history.early("reward/std")
  );
}

/** How a reward is exploited without solving the task. */
export const rewardHackRules: readonly Diagnostic[] = [
  diagnostic({
    name: "length bias",
    confidence: 0.72,
    limits: { rounds: 12, deviations: 0.5, episodes: 32, correlation: 0.6, growth: 1.3, score: 0.05 },
    find({ history, episodes = [] }, limits) {
      if (!isRising(history, limits) || history.of("score/mean").length < limits.rounds) return;
      if (history.late("score/mean") - history.early("score/mean") > limits.score) return;
      const [before, after] = [history.early("length/mean"), history.late("length/mean")];
      if (!(after > limits.growth * before)) return;
      const own = episodes.filter(({ episode }) => episode.role === undefined);
      const together = own.length < limits.episodes ? 0 : withinGroups(own);
      if (!(together > limits.correlation)) return;
      return {
        saw: `longer completions earn more, right or wrong: within groups the reward correlates with the length by ${show(together)}, and the mean length grew from ${show(before)} to ${show(after)} tokens without a higher score.`,
        fix: [
          { raise: "lengthWeight" },
          "remove the reward term that grows with the length, or divide it by the length",
          "train the reward model on pairs whose lengths do not predict the preference",
        ],
      };
    },
  }),
  diagnostic({
    name: "one answer for all",
    confidence: 0.8,
    limits: { rounds: 8, deviations: 0.5, problems: 8, share: 0.9 },
    find({ history, episodes = [], spec }, limits) {
      if (spec.action.kind !== "text" || !isRising(history, limits)) return;
      const own = episodes.filter(({ episode }) => episode.role === undefined && ownSteps(episode) > 0);
      const problems = new Set(own.flatMap(({ episode }) => episode.problem ?? []));
      if (problems.size < limits.problems) return;
      const [count, reward] = commonest(own);
      if (!(count >= limits.share * own.length && reward > history.early("reward/mean"))) return;
      return {
        saw: `${show((100 * count) / own.length)} % of the completions of ${problems.size} prompts are equal, and earn ${show(reward)} on average: the judge rewards one answer whatever the prompt is.`,
        fix: [
          "check that the judge compares the answer with the problem, and that problems have different answers",
          { raise: "klWeight" },
          { raise: "entropyWeight" },
        ],
      };
    },
  }),
];

/** Correlation of rewards and lengths, both relative to the means of their groups. */
function withinGroups(judged: readonly JudgedEpisode[]): number {
  const [lengths, rewards]: [number[], number[]] = [[], []];
  for (const group of groupEpisodes(judged)) {
    const own = group.map(({ episode }) => ownSteps(episode));
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const [length, reward] = [mean(own), mean(group.map((j) => j.reward))];
    group.forEach((j, i) => {
      lengths.push(own[i] - length);
      rewards.push(j.reward - reward);
    });
  }
  return correlation(lengths, rewards);
}

/** Number of episodes with the commonest sequence of own actions, and their mean reward. */
function commonest(judged: readonly JudgedEpisode[]): [number, number] {
  const found = new Map<string, { count: number; reward: number }>();
  let most = { count: 0, reward: 0 };
  for (const { episode, reward } of judged) {
    const key = ownActions(episode);
    const entry = found.get(key) ?? { count: 0, reward: 0 };
    found.set(key, entry);
    entry.count++;
    entry.reward += reward;
    if (entry.count > most.count) most = entry;
  }
  return [most.count, most.reward / most.count];
}

function ownActions({ columns }: Episode): string {
  const { action, by } = columns;
  if (!(action instanceof Tensor && by instanceof Tensor)) return "";
  return Array.from(action.data)
    .filter((_, i) => makers[by.data[i]] === "policy")
    .join();
}
