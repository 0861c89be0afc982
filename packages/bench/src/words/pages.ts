import { tInterval } from "@reins/recipes";
import type { Done } from "./job.ts";
import { type Line, picture } from "./picture.ts";
import {
  type Cell,
  common,
  evaluation,
  grid,
  inCell,
  longer,
  methodGroups,
  model,
  reinforcement,
} from "./plan.ts";
import { last, type Measured, mean, type WordsOutcome } from "./suite.ts";

const percent = (x: number) => (100 * x).toFixed(1);
const thousands = (n: number) => `${Math.round(n / 1000)} k`;
const written = "Written by `npm run bench -- words` from results/words.json.";
const colours = { grpo: "#c2571a", sft: "#2a6fb0" };

/** The pages and their pictures, by name of file. */
export function pagesOf(outcome: WordsOutcome): { [name: string]: string } {
  const groups = methodGroups.flatMap(({ file, title, methods }) => {
    const own = methods.flatMap((m) => outcome.methods.filter((o) => o.contest.method === m));
    if (own.length < methods.length) return [];
    return [
      [`${file}.md`, groupPage(title, file, own)],
      [`${file}.svg`, groupCurves(own, outcome.methods)],
    ];
  });
  return {
    "words.md": comparisonPage(outcome),
    "words.svg": comparisonCurves(outcome),
    ...(outcome.grid.length ? { "words-choices.md": gridPage(outcome) } : {}),
    ...Object.fromEntries(groups),
  };
}

/** The tasks with both ways to go on. */
const pairs = ({ tasks }: WordsOutcome) =>
  tasks
    .filter((t) => t.contest.method === "grpo")
    .flatMap((grpo) => {
      const sft = tasks.find((t) => t.contest.method === "sft" && t.contest.task === grpo.contest.task);
      return sft ? [{ task: grpo.contest.task, grpo, sft }] : [];
    });

const interval = (values: readonly number[]) => {
  const { estimate, low, high } = tInterval(values);
  return `${percent(estimate)} (${percent(low)} to ${percent(high)})`;
};

function comparisonPage(outcome: WordsOutcome): string {
  const rows = pairs(outcome).map(({ task, grpo, sft }) => {
    const gains = interval(grpo.runs.map((r) => last(r) - r.start));
    return `| ${task.family} ${task.levels} | ${thousands(task.imitation)} | ${percent(mean(grpo.runs.map((r) => r.start)))} | ${interval(grpo.runs.map(last))} | ${gains} | ${interval(sft.runs.map(last))} | ${grpo.learningRate} / ${sft.learningRate} |`;
  });
  return [
    "# Problems in words, measured",
    "",
    written,
    "",
    `A transformer of ${model.layers} layers and width ${model.width} that reads characters first imitates right answers, until it solves a task in part. From there it goes on in two ways: GRPO writes ${thousands(reinforcement)} answer tokens (32 problems, 16 plays, four steps a batch), or imitation goes on for ${thousands(longer)} tokens, which takes as many operations (writing a token costs a third of learning from it). Percent of 300 held-out problems that are solved by greedy answers: the mean of ${evaluation.length} seeds with its 95% interval; every seed has a start of its own, so the gain over it is given too. Each way's learning rate is the better of two on two other seeds.`,
    "",
    "| task, level | imitated tokens | after imitation | then GRPO | gained by GRPO | or longer imitation | learning rates |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
    "![Accuracy over compute](words.svg)",
    "",
    `Right answers are free and endless here, so imitation is as good a teacher as there can be: what reinforcement adds without seeing one is the point of the comparison. Methods by group: ${methodGroups.map((g) => `[${g.title.split(":")[0].toLowerCase()}](${g.file}.md)`).join(", ")}; GRPO's choices with each other: [grid](words-choices.md).`,
    "",
    `Measured on ${outcome.machine}, one thread a run.`,
    "",
  ].join("\n");
}

/** A line of means with the band from the worst seed to the best. */
function line(name: string, colour: string, runs: readonly Done[]): Line {
  const all = runs.map((r) => [r.start, ...r.curve]);
  const at = (of: (values: number[]) => number) => all[0].map((_, i) => of(all.map((c) => c[i])));
  return { name, colour, mean: at(mean), low: at((v) => Math.min(...v)), high: at((v) => Math.max(...v)) };
}

const caption =
  "Percent solved of held-out problems over equal compute; bands reach from the worst seed to the best.";

const comparisonCurves = (outcome: WordsOutcome): string =>
  picture(
    pairs(outcome).map(({ task, grpo, sft }) => ({
      title: `${task.family}, level ${task.levels}`,
      lines: [
        line("GRPO after imitation", colours.grpo, grpo.runs),
        line("longer imitation", colours.sft, sft.runs),
      ],
    })),
    caption,
  );

function groupPage(title: string, file: string, own: readonly Measured[]): string {
  const rows = own.map(({ contest, learningRate, runs }) => {
    const curve = runs[0].curve.map((_, i) => percent(mean(runs.map((r) => r.curve[i])))).join(", ");
    return `| [\`${contest.method}\`](${contest.method}.md) | ${learningRate} | ${curve} | ${interval(runs.map(last))} | ${interval(runs.map((r) => last(r) - r.start))} | ${mean(runs.map((r) => r.seconds)).toFixed(0)} |`;
  });
  const before = mean(own[0].runs.map((r) => r.start));
  return [
    `# ${title}`,
    "",
    written,
    "",
    `On ${common.family}, level ${common.levels}, from models that have imitated ${thousands(common.imitation)} tokens and solve ${percent(before)}% on average. Each method writes ${thousands(reinforcement)} answer tokens in batches of 512 texts and makes four steps with each (REINFORCE one with every 128); imitation goes on for ${thousands(longer)} tokens, which is the same compute. Percent of 300 held-out problems solved by greedy answers, ${evaluation.length} seeds: means at five times of training, the end and the gain with their 95% intervals. Each learning rate is the better of two on two other seeds.`,
    "",
    "| method | learning rate | on the way | end | gained | seconds |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
    `![Accuracy over compute](${file}.svg)`,
    "",
    "All methods: " +
      `${methodGroups.map((g) => `[${g.title.split(":")[0].toLowerCase()}](${g.file}.md)`).join(", ")}. Other tasks: [words](words.md).`,
    "",
  ].join("\n");
}

function groupCurves(own: readonly Measured[], all: readonly Measured[]): string {
  const sft = all.find((m) => m.contest.method === "sft");
  return picture(
    own.map(({ contest, runs }) => ({
      title: contest.method,
      lines: [
        line("the method", colours.grpo, runs),
        ...(sft && contest.method !== "sft" ? [line("longer imitation", colours.sft, sft.runs)] : []),
      ],
    })),
    caption,
  );
}

function gridPage({ grid: cells }: WordsOutcome): string {
  const gainsOf = (match: (c: Cell) => boolean) =>
    cells.filter((c) => match(c.cell)).map((c) => c.runs.map((r) => last(r) - r.start));
  const heads = grid.clip.flatMap((clip) => grid.filter.map((filter) => ({ clip, filter })));
  const rows = grid.baseline.flatMap((baseline) =>
    grid.aggregation.map((aggregation) => {
      const values = heads.map((h) =>
        percent(
          mean(
            gainsOf(
              (c) =>
                c.baseline === baseline &&
                c.aggregation === aggregation &&
                c.clip === h.clip &&
                c.filter === h.filter,
            ).flat(),
          ),
        ),
      );
      return `| ${baseline} | ${aggregation} | ${values.join(" | ")} |`;
    }),
  );
  const { tokens, rates, seeds } = inCell(cells[0].cell);
  /** For each seed, the mean over the cells of a choice less that of all cells. */
  const effect = (choice: keyof typeof grid, value: string) => {
    const [own, all] = [gainsOf((c) => c[choice] === value), gainsOf(() => true)];
    return interval(seeds.map((_, s) => mean(own.map((g) => g[s])) - mean(all.map((g) => g[s]))));
  };
  const effects = (Object.keys(grid) as (keyof typeof grid)[]).flatMap((choice) =>
    grid[choice].map(
      (v) =>
        `| ${choice} | ${v} | ${percent(mean(gainsOf((c) => c[choice] === v).flat()))} | ${effect(choice, v)} |`,
    ),
  );
  return [
    "# Which choices matter: baseline × clip × aggregation × filter",
    "",
    written,
    "",
    `Points of held-out accuracy that GRPO gains on ${common.family}, level ${common.levels}, from ${thousands(tokens)} written tokens after ${thousands(common.imitation)} imitated ones; 32 problems, 8 plays, two passes in two parts over each batch, learning rate ${rates[0]}, advantages not scaled. Means of ${seeds.length} seeds.`,
    "",
    `| baseline | aggregation | ${heads.map((h) => `clip ${h.clip}, filter ${h.filter}`).join(" | ")} |`,
    `| --- | --- | ${heads.map(() => "---").join(" | ")} |`,
    ...rows,
    "",
    "Each choice, whatever the others are: the mean gain of its cells, and how far that is from the mean of all cells, with the 95% interval over seeds.",
    "",
    "| choice | | gain | beside all |",
    "| --- | --- | --- | --- |",
    ...effects,
    "",
  ].join("\n");
}
