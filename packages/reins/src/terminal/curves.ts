import { fail } from "@reins/core";
import { type Row, RunDirectory } from "@reins/core/directory";
import { checkKeys, didYouMean } from "@reins/core/errors";
import { checkUsualRange } from "@reins/core/settings";
import { ids, make } from "@reins/envs";
import type { Series } from "./plot.ts";
import { svg } from "./svg.ts";

/** Options of {@link curvesOf}. */
export interface CurvesOptions {
  /** Metric (default `"return/mean"`); docs/metrics.md lists all. */
  readonly metric?: string;
  /** The x axis (default steps). */
  readonly x?: "steps" | "seconds";
  /** Window of the moving average in rows (default 1). The raw curve is drawn faintly. */
  readonly smooth?: number;
  readonly title?: string;
}

/** A run with its rows of metrics. */
export interface Opened {
  readonly directory: RunDirectory;
  readonly rows: readonly Row[];
}

/** Opens a run for reading. */
export function openRun(path: string): Opened {
  const directory = RunDirectory.open(path, { warn() {} });
  return { directory, rows: directory.metrics() };
}

/** The curve of a metric of a run. */
export function seriesOf({ directory, rows }: Opened, metric: string, x: "steps" | "seconds"): Series {
  const times = x === "seconds" ? new Map(directory.times().map((t) => [t.step, t.seconds])) : undefined;
  return {
    name: directory.name,
    x: rows.map((row) => times?.get(row.step) ?? row.step),
    y: rows.map((row) => row[metric] ?? Number.NaN),
  };
}

/** All metrics of the runs. */
export const metricsOf = (runs: readonly Opened[]): string[] => [
  ...new Set(runs.flatMap(({ rows }) => rows.flatMap((row) => Object.keys(row)))),
];

/** The solved threshold, if all runs share one environment that has it. */
export function goalOf(runs: readonly Opened[]): number | undefined {
  const [env] = runs.map((r) => r.directory.config.env);
  if (!ids().includes(env) || runs.some((r) => r.directory.config.env !== env)) return undefined;
  return make(env).spec.solvedAt;
}

/** Learning curves of runs as an SVG image. */
export function curvesOf(paths: readonly string[], options: CurvesOptions = {}): string {
  checkKeys("curves", options, ["metric", "x", "smooth", "title"]);
  const { metric = "return/mean", x = "steps", smooth = 1, title } = options;
  checkUsualRange("curves", "smooth", smooth, "count", 10);
  if (paths.length === 0) fail("curves", "no runs given. Pass their directories.");
  const runs = paths.map(openRun);
  const known = metricsOf(runs);
  if (known.length && !known.includes(metric))
    fail("curves", `no run has the metric ${metric}.${didYouMean(metric, known)}`);
  const series = runs.map((run) => seriesOf(run, metric, x));
  const goal = metric === "return/mean" ? goalOf(runs) : undefined;
  return svg(series, { title: title ?? titleOf(metric, series), unit: x, goal, smooth });
}

/** The title of a plot. */
export const titleOf = (metric: string, series: readonly Series[]): string =>
  series.length === 1 ? `${metric}   ${series[0].name}` : metric;
