import { join } from "node:path";
import { fail } from "@reins/core";
import { mean } from "../claims/table.ts";
import type { Metric } from "../outcome.ts";
import { tableOfAll } from "./protocol.ts";
import { counted, type Result, readList } from "./result.ts";
import type { BookRow } from "./rows.ts";

/** Systems that are measured on the same tasks, for comparison. */
export interface Cluster {
  readonly name: string;
  readonly title: string;
  /** The common task. */
  readonly task: string;
  /** Values that every member records, by name. The arms are ordered by the first. */
  readonly metrics: readonly string[];
  /** Recipes by id. Those without a result are listed as missing. */
  readonly members: readonly string[];
  /** Recipes of the same kind on other tasks: each is shown separately and not compared. */
  readonly others?: readonly string[];
  /** Arms that are published systems, if a member has several; otherwise each member's own system. */
  readonly systems?: readonly string[];
}

/** One arm of one or several members, with its values in all replicates that count. */
export interface ClusterSide {
  readonly name: string;
  /** Members that have it, and whether it is their system. */
  readonly of: readonly { readonly id: string; readonly system: boolean }[];
  readonly replicates: readonly string[];
  readonly values: { readonly [metric: string]: readonly number[] };
}

/** An arm beside the tuned baseline. */
export interface ComparedSide extends ClusterSide {
  /** Paired differences from the baseline in the first metric, over the replicates that both have. Absent for the baseline itself. */
  readonly differences?: readonly number[];
}

/** The clusters of a book: `clusters.json`. */
export const clustersOf = (book: string): readonly Cluster[] =>
  readList<Cluster>(join(book, "clusters.json"));

/** The fields of a member's result that are read. */
export type Measured = Pick<Result, "id" | "system" | "baselines" | "metrics" | "blocks">;

/** All arms of a cluster's results. Arms of one name with equal values in common replicates are one arm. */
export function clusterSides(
  cluster: Pick<Cluster, "name" | "metrics" | "systems">,
  results: readonly Measured[],
): ClusterSide[] {
  const sides: ClusterSide[] = [];
  for (const result of results) {
    const blocks = result.blocks.slice(0, counted).map(({ rivals: _, ...block }) => block);
    const { replicates, values } = tableOfAll(blocks);
    for (const name of [result.system, ...result.baselines]) {
      const own = cluster.metrics.map((metric) => [
        metric,
        values[name]?.[metric] ??
          fail(
            `cluster ${cluster.name}`,
            `${name} of ${result.id} has no ${metric}. Measure it again, or remove the metric.`,
          ),
      ]);
      const system = cluster.systems?.includes(name) ?? name === result.system;
      const of = [{ id: result.id, system }];
      const side = { name, of, replicates, values: Object.fromEntries(own) };
      const at = sides.findIndex((s) => s.name === name && agree(s, side));
      if (at < 0) sides.push(side);
      else sides[at] = union(sides[at], side);
    }
  }
  return sides;
}

/** The arms beside the baseline that most members share, best paired difference first; arms without common replicates come last. */
export function comparedSides(
  cluster: Pick<Cluster, "name" | "metrics" | "systems">,
  results: readonly Measured[],
): ComparedSide[] {
  const sides = clusterSides(cluster, results);
  const [first] = cluster.metrics;
  const sign = metricOf(first, results)?.better === "lower" ? -1 : 1;
  const score = ({ values }: ClusterSide) => sign * mean(values[first]);
  const [baseline] = sides
    .filter((s) => !s.of.some((o) => o.system))
    .sort((a, b) => b.of.length - a.of.length || score(b) - score(a));
  if (!baseline) return sides.sort((a, b) => score(b) - score(a));
  const rank = ({ differences = [0] }: ComparedSide) =>
    differences.length ? sign * mean(differences) : Number.NEGATIVE_INFINITY;
  return sides
    .map((s): ComparedSide => (s === baseline ? s : { ...s, differences: differencesOf(s, baseline, first) }))
    .sort((a, b) => rank(b) - rank(a));
}

function differencesOf(a: ClusterSide, b: ClusterSide, metric: string): number[] {
  return a.replicates.flatMap((name, i) => {
    const at = b.replicates.indexOf(name);
    return at < 0 ? [] : [a.values[metric][i] - b.values[metric][at]];
  });
}

/** Whether two arms have replicates in common, with equal values. */
function agree(a: ClusterSide, b: ClusterSide): boolean {
  const common = a.replicates.filter((r) => b.replicates.includes(r));
  return (
    common.length > 0 &&
    common.every((r) =>
      Object.keys(a.values).every((m) =>
        Object.is(a.values[m][a.replicates.indexOf(r)], b.values[m][b.replicates.indexOf(r)]),
      ),
    )
  );
}

function union(a: ClusterSide, b: ClusterSide): ClusterSide {
  const more = [...b.replicates.keys()].filter((i) => !a.replicates.includes(b.replicates[i]));
  return {
    name: a.name,
    of: [...a.of, ...b.of],
    replicates: [...a.replicates, ...more.map((i) => b.replicates[i])],
    values: Object.fromEntries(
      Object.entries(a.values).map(([m, own]) => [m, [...own, ...more.map((i) => b.values[m][i])]]),
    ),
  };
}

/** The arms of a single recipe, best first. */
export const ownArms = (result: Measured): ComparedSide[] =>
  comparedSides({ name: result.id, metrics: Object.keys(result.metrics) }, [result]);

/** The results of a cluster's members, if present. */
export const resultsIn = (cluster: Cluster, rows: readonly BookRow[]): Result[] =>
  cluster.members.flatMap((id) => rows.find((r) => r.system.id === id)?.result ?? []);

/** The description of a metric, from the first member that has it. */
export const metricOf = (name: string, results: readonly Measured[]): Metric | undefined =>
  results.find((r) => r.metrics[name])?.metrics[name];
