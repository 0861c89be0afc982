import { writeFileSync } from "node:fs";
import { didYouMean } from "@reins/core";
import { ids, make } from "@reins/envs";
import { misuse } from "../../cli/usage.ts";
import { type Io, inkOf, print } from "../../terminal/io.ts";
import { plot, type Series } from "../../terminal/plot.ts";
import { svg } from "../../terminal/svg.ts";
import { type Opened, openRuns } from "./selection.ts";

/** What may be said about a plot. */
export interface PlotFlags {
  readonly metric?: string;
  readonly x?: string;
  readonly svg?: string;
  readonly height?: number;
  readonly json?: boolean;
}

/** The course of a metric in some runs. */
export function plotRuns(names: readonly string[], root: string, flags: PlotFlags, io: Io): number {
  const { metric = "return/mean", x = "steps" } = flags;
  if (x !== "steps" && x !== "seconds") misuse(`--x ${x} does not exist. Type --x steps or --x seconds.`);
  const runs = openRuns(names, root, 6);
  if (!runs.length) misuse(`there are no runs in ${root}/ yet. Begin one: reins train ppo CartPole-v1.`);
  const known = [
    ...new Set(runs.flatMap(({ rows }) => (rows.length ? Object.keys(rows[rows.length - 1]) : []))),
  ];
  if (known.length && !known.includes(metric))
    misuse(
      `no run has measured ${metric}.${didYouMean(metric, known)} There are ${known.filter((k) => k !== "step").join(", ")}.`,
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
  const title = runs.length === 1 ? `${metric}   ${series[0].name}` : metric;
  print(
    io.out,
    ink.bold(title),
    ...plot(series, { width: Math.min(columns - 1, 120), height, ink, goal, unit: x }),
  );
  if (flags.svg) {
    writeFileSync(flags.svg, svg(series, { title, unit: x, goal }));
    print(io.out, `Drawn into ${flags.svg}.`);
  }
  return 0;
}

function seriesOf({ directory, rows }: Opened, metric: string, x: "steps" | "seconds"): Series {
  const times = x === "seconds" ? new Map(directory.times().map((t) => [t.step, t.seconds])) : undefined;
  return {
    name: directory.name,
    x: rows.map((row) => times?.get(row.step) ?? row.step),
    y: rows.map((row) => row[metric] ?? Number.NaN),
  };
}

/** The return that counts as solved, where all runs are of one environment that has one. */
function goalOf(runs: readonly Opened[]): number | undefined {
  const [env] = runs.map((r) => r.directory.config.env);
  if (!ids().includes(env) || runs.some((r) => r.directory.config.env !== env)) return undefined;
  return make(env).spec.solvedAt;
}
