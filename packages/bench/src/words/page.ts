import type { Done } from "./job.ts";
import { type Line, picture } from "./picture.ts";
import { ends, type WordsOutcome } from "./suite.ts";
import {
  evaluation,
  grid,
  gridSeeds,
  gridTask,
  gridTokens,
  longer,
  methodSeeds,
  model,
  reinforcement,
} from "./tasks.ts";

const percent = (x: number) => (100 * x).toFixed(1);
const mean = (all: readonly number[]) => all.reduce((a, b) => a + b, 0) / all.length;
const thousands = (n: number) => `${Math.round(n / 1000)} k`;

/** The page, and the pictures that it shows, by name of file. */
export function pageOf(outcome: WordsOutcome): { text: string; files: { [name: string]: string } } {
  const text = [
    "# Problems in words, measured",
    "",
    "Written by `npm run bench -- words` from results/words.json.",
    "",
    comparison(outcome),
    "",
    everyMethod(outcome),
    "",
    choices(outcome),
    "",
  ].join("\n");
  return { text, files: { "words.md": text, "words.svg": curves(outcome) } };
}

function comparison({ tasks, machine }: WordsOutcome): string {
  const rows = tasks
    .filter(({ arms }) => arms.grpo.runs.length && arms.sft.runs.length)
    .map(({ task, arms }) => {
      const before = mean(arms.grpo.runs.map((r) => r.start));
      const cell = (runs: readonly Done[]) => {
        const { estimate, low, high } = ends(runs);
        return `${percent(estimate)} (${percent(low)} to ${percent(high)})`;
      };
      return `| ${task.family} ${task.levels} | ${thousands(task.imitation)} | ${percent(before)} | ${cell(arms.grpo.runs)} | ${cell(arms.sft.runs)} | ${arms.grpo.learningRate} / ${arms.sft.learningRate} |`;
    });
  return [
    "## Imitation, reinforcement, longer imitation",
    "",
    `A transformer of ${model.layers} layers and width ${model.width} that reads characters first imitates right answers. From there it goes on in two ways: GRPO writes ${thousands(reinforcement)} answer tokens (32 problems, 16 plays), or imitation goes on for ${thousands(longer)} tokens, which takes as many operations (writing a token costs a third of learning from it). Percent of 300 held-out problems that are solved by greedy answers; the mean of ${evaluation.length} seeds with its 95% interval. Each way's learning rate is the better of two on another seed.`,
    "",
    "| task, level | imitated tokens | after imitation | then GRPO | or longer imitation | learning rates |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
    "![Accuracy over compute](words.svg)",
    "",
    `Measured on ${machine}, one thread a run.`,
  ].join("\n");
}

function curves({ tasks }: WordsOutcome): string {
  const line = (name: string, colour: string, runs: readonly Done[]): Line => {
    const all = runs.map((r) => [r.start, ...r.curve]);
    const at = (of: (values: number[]) => number) => (all[0] ?? []).map((_, i) => of(all.map((c) => c[i])));
    return {
      name,
      colour,
      mean: at(mean),
      low: at((v) => Math.min(...v)),
      high: at((v) => Math.max(...v)),
    };
  };
  return picture(
    tasks
      .filter(({ arms }) => arms.grpo.runs.length && arms.sft.runs.length)
      .map(({ task, arms }) => ({
        title: `${task.family}, level ${task.levels}`,
        lines: [
          line("GRPO after imitation", "#c2571a", arms.grpo.runs),
          line("longer imitation", "#2a6fb0", arms.sft.runs),
        ],
      })),
    "Percent solved of held-out problems over equal compute; bands reach from the worst seed to the best.",
  );
}

function everyMethod({ methods }: WordsOutcome): string {
  const measured = methods.filter((m) => m.arm.runs.length === methodSeeds.length);
  if (measured.length === 0) return "";
  const rows = measured.map(({ method, arm: { learningRate, runs } }) => {
    const { estimate, low, high } = ends(runs);
    const curve = runs[0].curve.map((_, i) => percent(mean(runs.map((r) => r.curve[i])))).join(", ");
    const seconds = mean(runs.map((r) => r.seconds)).toFixed(0);
    return `| [\`${method}\`](${method}.md) | ${learningRate} | ${curve} | ${percent(estimate)} (${percent(low)} to ${percent(high)}) | ${seconds} |`;
  });
  const before = mean(measured.flatMap((m) => m.arm.runs.map((r) => r.start)));
  return [
    "## Every method on one task",
    "",
    `${gridTask.family}, level ${gridTask.levels}, after ${thousands(gridTask.imitation)} imitated tokens, at ${percent(before)}% on average. Each method writes ${thousands(reinforcement)} tokens in batches of 512 texts and makes four steps with each (REINFORCE one with every 128; imitation goes on for ${thousands(longer)}). Means of ${methodSeeds.length} seeds at five times of training, and the end with its 95% interval.`,
    "",
    "| method | learning rate | on the way | end | seconds |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function choices({ grid: cells }: WordsOutcome): string {
  const measured = cells.filter((c) => c.runs.length === gridSeeds.length);
  if (measured.length === 0) return "";
  const gain = (runs: readonly Done[]) => mean(runs.map((r) => r.curve[r.curve.length - 1] - r.start));
  const of = (match: (c: (typeof cells)[number]["cell"]) => boolean) => {
    const found = measured.filter((c) => match(c.cell)).map((c) => gain(c.runs));
    return found.length ? percent(mean(found)) : "";
  };
  const heads = grid.clip.flatMap((clip) => grid.filter.map((filter) => ({ clip, filter })));
  const rows = grid.baseline.flatMap((baseline) =>
    grid.aggregation.map((aggregation) => {
      const values = heads.map(({ clip, filter }) =>
        of(
          (c) =>
            c.baseline === baseline &&
            c.aggregation === aggregation &&
            c.clip === clip &&
            c.filter === filter,
        ),
      );
      return `| ${baseline} | ${aggregation} | ${values.join(" | ")} |`;
    }),
  );
  const effects = (Object.keys(grid) as (keyof typeof grid)[]).map(
    (choice) => `- ${choice}: ${grid[choice].map((v) => `${v} ${of((c) => c[choice] === v)}`).join(", ")}`,
  );
  return [
    "## Which choices matter: baseline × clip × aggregation × filter",
    "",
    `Points of held-out accuracy gained on ${gridTask.family}, level ${gridTask.levels}, from ${thousands(gridTokens)} written tokens after ${thousands(gridTask.imitation)} imitated ones; 32 problems, 8 plays, two passes in two parts over each batch, learning rate 4e-4, advantages not scaled. Means of seeds ${gridSeeds.join(", ")}.`,
    "",
    `| baseline | aggregation | ${heads.map((h) => `clip ${h.clip}, filter ${h.filter}`).join(" | ")} |`,
    `| --- | --- | ${heads.map(() => "---").join(" | ")} |`,
    ...rows,
    "",
    "The mean of all cells with each choice:",
    "",
    ...effects,
  ].join("\n");
}
