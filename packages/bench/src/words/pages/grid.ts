import { last, mean, type WordsOutcome } from "../outcome.ts";
import { type Cell, common, grid, inCell } from "../plan.ts";
import { interval, percent, thousands, written } from "./format.ts";

/** The page of the grid of GRPO's choices. */
export function gridPage({ grid: cells }: WordsOutcome): string {
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
  /** For each seed, the mean over the cells of a choice minus the mean of all cells. */
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
    `Gain of GRPO in held-out accuracy, in percentage points, on ${common.family}, level ${common.levels}: ${thousands(tokens)} sampled tokens after SFT on ${thousands(common.imitation)}. 32 prompts, group size 8, two epochs of two minibatches, learning rate ${rates[0]}, advantages not scaled. Means of ${seeds.length} seeds.`,
    "",
    `| baseline | aggregation | ${heads.map((h) => `clip ${h.clip}, filter ${h.filter}`).join(" | ")} |`,
    `| --- | --- | ${heads.map(() => "---").join(" | ")} |`,
    ...rows,
    "",
    "Main effect of each choice: the mean gain of its cells, and the difference from the mean of all cells with its 95% interval over seeds.",
    "",
    "| choice | value | gain | difference from the mean |",
    "| --- | --- | --- | --- |",
    ...effects,
    "",
  ].join("\n");
}
