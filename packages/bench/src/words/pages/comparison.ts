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

/** The accuracy after SFT: the mean over seeds, and the range. */
const startsOf = ({ runs }: Measured) => {
  const starts = runs.map((r) => r.start);
  return `${percent(mean(starts))} (${percent(Math.min(...starts))} to ${percent(Math.max(...starts))})`;
};

/** Every task: SFT, GRPO after it, and longer SFT. */
export function comparisonPage(outcome: WordsOutcome): string {
  const rows = pairs(outcome).map(({ task, grpo, sft }) => {
    const gains = interval(grpo.runs.map((r) => last(r) - r.start));
    return `| ${task.family} ${task.levels} | ${thousands(task.imitation)} | ${startsOf(grpo)} | ${interval(grpo.runs.map(last))} | ${gains} | ${interval(sft.runs.map(last))} | ${grpo.learningRate} / ${sft.learningRate} |`;
  });
  return [
    "# Language tasks: measured accuracy",
    "",
    written,
    "",
    `A character-level transformer with ${model.layers} layers of width ${model.width} is fine-tuned on correct answers (SFT) until it solves part of a task. Training then continues in one of two ways at equal compute: GRPO samples ${thousands(reinforcement)} completion tokens (32 prompts, group size 16, four optimiser steps a batch), or SFT continues for ${thousands(longer)} tokens (sampling a token costs a third of training on it).`,
    "",
    `Numbers are the greedy accuracy on 300 held-out problems, in percent: the mean of ${evaluation.length} seeds with its 95% interval. The accuracy after SFT has its range instead. Each seed starts from its own SFT model, so the table also has the gain over it. Each learning rate is the better of two on two other seeds.`,
    "",
    "| task, level | SFT tokens | after SFT | after GRPO | gain of GRPO | after longer SFT | learning rates (GRPO / SFT) |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
    "![Accuracy over compute](words.svg)",
    "",
    `These tasks generate unlimited correct answers, which favours SFT. The comparison shows how much GRPO gains without seeing any. Methods by group: ${groupLinks}. Ablation of GRPO's choices: [grid](words-choices.md).`,
    "",
    `Measured on ${outcome.machine}, one thread per run.`,
    "",
  ].join("\n");
}

export const comparisonCurves = (outcome: WordsOutcome): string =>
  picture(
    pairs(outcome).map(({ task, grpo, sft }) => ({
      title: `${task.family}, level ${task.levels}`,
      lines: [
        line("GRPO after SFT", colours.own, grpo.runs),
        line("longer SFT", colours.imitation, sft.runs),
      ],
    })),
    caption,
  );
