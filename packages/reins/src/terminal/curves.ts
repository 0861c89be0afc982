import { checkKeys, checkWithin, didYouMean, fail } from "@reins/core";
import { type Row, RunDirectory } from "@reins/core/directory";
import { ids, make } from "@reins/envs";
import type { Series } from "./plot.ts";
import { svg } from "./svg.ts";

/** What of some runs is drawn. */
export interface CurvesOptions {
  /** `"return/mean"` by default; docs/metrics.md has all. */
  readonly metric?: string;
  /** Over steps, or over the seconds that they took. */
  readonly x?: "steps" | "seconds";
  /** Rows that a point is the mean of, itself and those before it; 1 by default. The rows themselves are then drawn faintly. */
  readonly smooth?: number;
  readonly title?: string;
}

/** A run with its rows of metrics. */
export interface Opened {
  readonly directory: RunDirectory;
  readonly rows: readonly Row[];
}

/** The run at a path, to look at. */
export function openRun(path: string): Opened {
  const directory = RunDirectory.open(path, { warn() {} });
  return { directory, rows: directory.metrics() };
}

/** The course of a metric in a run. */
export function seriesOf({ directory, rows }: Opened, metric: string, x: "steps" | "seconds"): Series {
  const times = x === "seconds" ? new Map(directory.times().map((t) => [t.step, t.seconds])) : undefined;
  return {
    name: directory.name,
    x: rows.map((row) => times?.get(row.step) ?? row.step),
    y: rows.map((row) => row[metric] ?? Number.NaN),
  };
}

/** Every metric that some of the runs have measured. */
export const metricsOf = (runs: readonly Opened[]): string[] => [
  ...new Set(runs.flatMap(({ rows }) => rows.flatMap((row) => Object.keys(row)))),
];

/** The return that counts as solved, where all runs are of one environment that has one. */
export function goalOf(runs: readonly Opened[]): number | undefined {
  const [env] = runs.map((r) => r.directory.config.env);
  if (!ids().includes(env) || runs.some((r) => r.directory.config.env !== env)) return undefined;
  return make(env).spec.solvedAt;
}

/** The courses of a metric in some runs, as an SVG picture. */
export function curvesOf(paths: readonly string[], options: CurvesOptions = {}): string {
  checkKeys("curves", options, ["metric", "x", "smooth", "title"]);
  const { metric = "return/mean", x = "steps", smooth = 1, title } = options;
  checkWithin("curves", "smooth", smooth, "count", 10);
  if (paths.length === 0) fail("curves", "of which runs? Give their directories.");
  const runs = paths.map(openRun);
  const known = metricsOf(runs);
  if (known.length && !known.includes(metric))
    fail("curves", `no run has measured ${metric}.${didYouMean(metric, known)}`);
  const series = runs.map((run) => seriesOf(run, metric, x));
  const goal = metric === "return/mean" ? goalOf(runs) : undefined;
  return svg(series, { title: title ?? titleOf(metric, series), unit: x, goal, smooth });
}

/** What is drawn, in a line. */
export const titleOf = (metric: string, series: readonly Series[]): string =>
  series.length === 1 ? `${metric}   ${series[0].name}` : metric;
