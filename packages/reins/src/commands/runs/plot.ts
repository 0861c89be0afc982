import { writeFileSync } from "node:fs";
import { didYouMean } from "@reins/core/errors";
import { usageError } from "../../cli/usage.ts";
import { goalOf, metricsOf, seriesOf, titleOf } from "../../terminal/curves.ts";
import { type Io, inkOf, print } from "../../terminal/io.ts";
import { plot } from "../../terminal/plot.ts";
import { smoothed } from "../../terminal/smoothing.ts";
import { svg } from "../../terminal/svg.ts";
import { openRuns } from "./selection.ts";

/** Flags of a plot. */
export interface PlotFlags {
  readonly metric?: string;
  readonly x?: string;
  readonly svg?: string;
  readonly smooth?: number;
  readonly height?: number;
  readonly json?: boolean;
}

/** Plots a metric of runs. */
export function plotRuns(names: readonly string[], root: string, flags: PlotFlags, io: Io): number {
  const { metric = "return/mean", x = "steps", smooth = 1 } = flags;
  if (x !== "steps" && x !== "seconds") usageError(`unknown axis --x ${x}. Use --x steps or --x seconds.`);
  const runs = openRuns(names, root, 6);
  if (!runs.length) usageError(`there are no runs in ${root}/ yet. Start one: reins train ppo CartPole-v1.`);
  const known = metricsOf(runs);
  if (known.length && !known.includes(metric))
    usageError(
      `no run has the metric ${metric}.${didYouMean(metric, known)} Available: ${known.filter((k) => k !== "step").join(", ")}.`,
    );
  const series = runs.map((run) => seriesOf(run, metric, x));
  if (flags.json) {
    print(io.out, JSON.stringify(series));
    return 0;
  }
  const goal = metric === "return/mean" ? goalOf(runs) : undefined;
  const { columns = 100, rows = 40 } = io.out;
  const height = flags.height ?? Math.min(20 + series.length, rows - 4);
  const ink = inkOf(io.out);
  const title = titleOf(metric, series);
  const lines = smooth > 1 ? series.map((one) => smoothed(one, smooth)) : series;
  print(
    io.out,
    ink.bold(title),
    ...plot(lines, { width: Math.min(columns - 1, 120), height, ink, goal, unit: x }),
  );
  if (flags.svg) {
    writeFileSync(flags.svg, svg(series, { title, unit: x, goal, smooth }));
    print(io.out, `Wrote ${flags.svg}.`);
  }
  return 0;
}
