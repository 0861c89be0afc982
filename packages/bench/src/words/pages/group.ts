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
    `On ${common.family}, level ${common.levels}, from models that have imitated ${thousands(common.imitation)} tokens and solve ${percent(before)}% on average. Each method writes ${thousands(reinforcement)} answer tokens in batches of 512 texts and makes four steps with each (REINFORCE one with every 128); imitation goes on for ${thousands(longer)} tokens, which is the same compute. Percent of 300 held-out problems solved by greedy answers, ${evaluation.length} seeds: means at five times of training, the end and the gain with their 95% intervals. Each learning rate is the better of two on two other seeds. Reversal was measured first and given up: its starts are at 3 to 8% or at 95%, from where reinforcement moved little on most seeds.`,
    "",
    "| method | learning rate | on the way | end | gained |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
    `![Accuracy over compute](${file}.svg)`,
    "",
    "All methods: " + `${groupLinks}. Other tasks: [words](words.md).`,
    "",
  ].join("\n");
}

/** The curves of the methods, each with longer imitation. */
export function groupCurves(own: readonly Measured[], all: readonly Measured[]): string {
  const sft = all.find((m) => m.contest.method === "sft");
  return picture(
    own.map(({ contest, runs }) => ({
      title: contest.method,
      lines: [
        ...(contest.method === "sft" ? [] : [line("the method", colours.own, runs)]),
        ...(sft ? [line("longer imitation", colours.imitation, sft.runs)] : []),
      ],
    })),
    caption,
  );
}
