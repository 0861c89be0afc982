import { last, type Measured, mean } from "../outcome.ts";
import { picture } from "../picture.ts";
import { common, evaluation, longer, reinforcement } from "../plan.ts";
import { caption, colours, groupLinks, interval, line, percent, thousands, written } from "./format.ts";

/** The page of a group of methods. */
export function groupPage(title: string, file: string, own: readonly Measured[]): string {
  const rows = own.map(({ contest, learningRate, runs }) => {
    const curve = runs[0].curve.map((_, i) => percent(mean(runs.map((r) => r.curve[i])))).join(", ");
    return `| [\`${contest.method}\`](${contest.method}.md) | ${learningRate} | ${curve} | ${interval(runs.map(last))} | ${interval(runs.map((r) => last(r) - r.start))} |`;
  });
  const before = mean(own[0].runs.map((r) => r.start));
  return [
    `# ${title}`,
    "",
    written,
    "",
    `The task is ${common.family}, level ${common.levels}. All methods start from models after SFT on ${thousands(common.imitation)} tokens, with a mean accuracy of ${percent(before)}%. Each method samples ${thousands(reinforcement)} completion tokens in batches of 512 completions, with four optimiser steps per batch (REINFORCE: one step per 128). SFT continues for ${thousands(longer)} tokens, which is equal compute.`,
    "",
    `Numbers are the greedy accuracy on 300 held-out problems, in percent, over ${evaluation.length} seeds: the mean at five points of training, then the final accuracy and the gain with their 95% intervals. Each learning rate is the better of two on two other seeds. Reversal was measured first and dropped: its SFT models are at 3 to 8% or at 95%, and reinforcement learning changed most of them little.`,
    "",
    "| method | learning rate | during training | final | gain |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
    `![Accuracy over compute](${file}.svg)`,
    "",
    `All methods: ${groupLinks}. Other tasks: [language tasks](words.md).`,
    "",
  ].join("\n");
}

/** The curves of the methods, each with longer SFT. */
export function groupCurves(own: readonly Measured[], all: readonly Measured[]): string {
  const sft = all.find((m) => m.contest.method === "sft");
  return picture(
    own.map(({ contest, runs }) => ({
      title: contest.method,
      lines: [
        ...(contest.method === "sft" ? [] : [line("the method", colours.own, runs)]),
        ...(sft ? [line("longer SFT", colours.imitation, sft.runs)] : []),
      ],
    })),
    caption,
  );
}
