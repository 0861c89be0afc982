import { join } from "node:path";
import { fail } from "@reins/core";
import type { Metric } from "../outcome.ts";
import { tInterval } from "../statistics/interval.ts";
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
  readonly count: number;
  readonly values: { readonly [metric: string]: readonly number[] };
}

/** The clusters of a book: `clusters.json`. */
export const clustersOf = (book: string): readonly Cluster[] =>
  readList<Cluster>(join(book, "clusters.json"));

/** The fields of a member's result that are read. */
export type Measured = Pick<Result, "id" | "system" | "baselines" | "metrics" | "blocks">;

/** All arms of a cluster's results, best first. Arms that several members share (same name and values) appear once. */
export function clusterSides(
  cluster: Pick<Cluster, "name" | "metrics" | "systems">,
  results: readonly Measured[],
): ClusterSide[] {
  const sides = new Map<string, ClusterSide>();
  for (const result of results) {
    const { values } = tableOfAll(result.blocks.slice(0, counted));
    for (const name of [result.system, ...result.baselines]) {
      const own = Object.fromEntries(
        cluster.metrics.map((metric) => [
          metric,
          values[name]?.[metric] ??
            fail(
              `cluster ${cluster.name}`,
              `${name} of ${result.id} has no ${metric}. Measure it again, or remove the metric.`,
            ),
        ]),
      );
      const key = JSON.stringify([name, own]);
      const system = cluster.systems?.includes(name) ?? name === result.system;
      const of = { id: result.id, system };
      const found = sides.get(key);
      const count = own[cluster.metrics[0]].length;
      sides.set(key, found ? { ...found, of: [...found.of, of] } : { name, of: [of], count, values: own });
    }
  }
  const [first] = cluster.metrics;
  const sign = metricOf(first, results)?.better === "lower" ? 1 : -1;
  const key = (side: ClusterSide) => sign * tInterval(side.values[first]).estimate;
  return [...sides.values()].sort((a, b) => key(a) - key(b));
}

/** The arms of a single recipe, best first. */
export const ownArms = (result: Measured): ClusterSide[] =>
  clusterSides({ name: result.id, metrics: Object.keys(result.metrics) }, [result]);

/** The results of a cluster's members, if present. */
export const resultsIn = (cluster: Cluster, rows: readonly BookRow[]): Result[] =>
  cluster.members.flatMap((id) => rows.find((r) => r.system.id === id)?.result ?? []);

/** The description of a metric, from the first member that has it. */
export const metricOf = (name: string, results: readonly Measured[]): Metric | undefined =>
  results.find((r) => r.metrics[name])?.metrics[name];
