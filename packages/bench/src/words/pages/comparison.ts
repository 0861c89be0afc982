import { last, type Measured, mean, type WordsOutcome } from "../outcome.ts";
import { picture } from "../picture.ts";
import { evaluation, longer, model, reinforcement } from "../plan.ts";
import { caption, colours, groupLinks, interval, line, percent, thousands, written } from "./format.ts";

/** The tasks with both continuations. */
const pairs = ({ tasks }: WordsOutcome) =>
  tasks
    .filter((t) => t.contest.method === "grpo")
    .flatMap((grpo) => {
      const sft = tasks.find((t) => t.contest.method === "sft" && t.contest.task === grpo.contest.task);
      return sft ? [{ task: grpo.contest.task, grpo, sft }] : [];
    });

/** The mean of the starts, and their range. */
const startsOf = ({ runs }: Measured) => {
  const starts = runs.map((r) => r.start);
  return `${percent(mean(starts))} (${percent(Math.min(...starts))} to ${percent(Math.max(...starts))})`;
};

/** Every task: imitation, GRPO after it, and longer imitation. */
export function comparisonPage(outcome: WordsOutcome): string {
  const rows = pairs(outcome).map(({ task, grpo, sft }) => {
    const gains = interval(grpo.runs.map((r) => last(r) - r.start));
    return `| ${task.family} ${task.levels} | ${thousands(task.imitation)} | ${startsOf(grpo)} | ${interval(grpo.runs.map(last))} | ${gains} | ${interval(sft.runs.map(last))} | ${grpo.learningRate} / ${sft.learningRate} |`;
  });
  return [
    "# Problems in words, measured",
    "",
    written,
    "",
    `A transformer of ${model.layers} layers and width ${model.width} that reads characters first imitates right answers, until it solves a task in part. From there it goes on in two ways: GRPO writes ${thousands(reinforcement)} answer tokens (32 problems, 16 plays, four steps a batch), or imitation goes on for ${thousands(longer)} tokens, which takes as many operations (writing a token costs a third of learning from it). Percent of 300 held-out problems that are solved by greedy answers: the mean of ${evaluation.length} seeds with its 95% interval, for the starts their range; every seed has a start of its own, so the gain over it is given too. Each way's learning rate is the better of two on two other seeds.`,
    "",
    "| task, level | imitated tokens | after imitation | then GRPO | gained by GRPO | or longer imitation | learning rates |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
    "![Accuracy over compute](words.svg)",
    "",
    `Right answers are free and endless here, so imitation is as good a teacher as there can be: what reinforcement adds without seeing one is the point of the comparison. Methods by group: ${groupLinks}; GRPO's choices with each other: [grid](words-choices.md).`,
    "",
    `Measured on ${outcome.machine}, one thread a run.`,
    "",
  ].join("\n");
}

export const comparisonCurves = (outcome: WordsOutcome): string =>
  picture(
    pairs(outcome).map(({ task, grpo, sft }) => ({
      title: `${task.family}, level ${task.levels}`,
      lines: [
        line("GRPO after imitation", colours.own, grpo.runs),
        line("longer imitation", colours.imitation, sft.runs),
      ],
    })),
    caption,
  );
