import { figure } from "../claims/text.ts";
import { tInterval } from "../statistics/interval.ts";
import { type Cluster, type ClusterSide, clusterSides, metricOf, ownArms, resultsIn } from "./cluster.ts";
import { wrapped } from "./markdown.ts";
import type { Result } from "./result.ts";
import type { BookRow } from "./rows.ts";
import { safe } from "./svg.ts";
import { claimHead, claimLines, link } from "./table.ts";

/** The page of a cluster: all arms of all members on the common tasks, other recipes on their own tasks, and their claims. */
export function clusterPage(cluster: Cluster, rows: readonly BookRow[]): string {
  const { members, others = [] } = cluster;
  const shown = rows.filter((r) => [...members, ...others].includes(r.system.id));
  const measured = shown.filter((r) => r.result);
  const missing = [...members, ...others].filter((id) => !measured.some((r) => r.system.id === id));
  const apart = measured.filter((r) => others.includes(r.system.id));
  return `# ${cluster.title}

${wrapped(cluster.task)}
${members.length ? together(cluster, resultsIn(cluster, rows)) : ""}${missing.length ? `\nNot measured yet: ${missing.join(", ")}.\n` : ""}${
  apart.length
    ? `\n## Other tasks\n\nThese recipes have different tasks: compare arms within a table, not between tables.\n${apart.map(alone).join("")}`
    : ""
}
## Claims

${claimHead}
${measured
  .flatMap(claimLines)
  .map((line) => line.replaceAll("](", "](../"))
  .join("\n")}

${wrapped(`Deviations and findings: ${shown.map((r) => link(r, "../")).join(", ")}.`)}
`;
}

const together = (cluster: Cluster, results: readonly Result[]): string => `
All measured arms with their tuned settings. Systems are in bold, and baselines that several recipes
share appear once. Values are means over the evaluation seeds of both blocks with 95% intervals. All arms
run on the same seeds, so the paired differences that decide the claims below are more precise than
these intervals.

![All arms, best first](${cluster.name}.svg)

${tableOf(clusterSides(cluster, results), cluster.metrics, results)}
`;

/** A recipe on its own: its task, from the first of its deviations, and its arms. */
function alone({ system: { id }, entry, result }: BookRow): string {
  const task = entry?.kind === "recipe" ? (entry.deviations[0] ?? "") : "";
  const table = tableOf(ownArms(result!), Object.keys(result!.metrics), [result!]);
  return `\n### ${id}\n\n${wrapped(task)}\n\n${table}\n`;
}

function tableOf(
  sides: readonly ClusterSide[],
  metrics: readonly string[],
  results: readonly Result[],
): string {
  const head = ["arm", "recipe", "replicates", ...metrics.map((m) => describe(m, results))];
  const lines = sides.map((side) => [
    side.of.some((o) => o.system) ? `**${side.name}**` : side.name,
    side.of.map((o) => o.id).join(", "),
    `${side.count}`,
    ...metrics.map((m) => interval(side.values[m])),
  ]);
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function describe(name: string, results: readonly Result[]): string {
  const metric = metricOf(name, results);
  return metric ? `${metric.about} (${metric.better} is better)` : name;
}

function interval(values: readonly number[]): string {
  const { estimate, low, high } = tInterval(values);
  return `${figure(estimate)} (${figure(low)} to ${figure(high)})`;
}

const [rowHeight, top, left, width] = [26, 44, 260, 520];

/** The arms of a cluster as dots with intervals, by its first metric. */
export function clusterPlot(cluster: Cluster, rows: readonly BookRow[]): string {
  const results = resultsIn(cluster, rows);
  const sides = clusterSides(cluster, results);
  const [metric] = cluster.metrics;
  const spans = sides.map((s) => tInterval(s.values[metric]));
  const low = Math.min(...spans.map((s) => s.low));
  const high = Math.max(...spans.map((s) => s.high));
  const room = (high - low || 1) * 0.05;
  const x = (v: number) => left + (width * (v - low + room)) / (high - low + 2 * room || 1);
  const height = top + rowHeight * sides.length + 30;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((t) => low + t * (high - low));
  const line = (side: ClusterSide, i: number) => {
    const { estimate, low: from, high: to } = spans[i];
    const [y, system] = [top + rowHeight * (i + 0.5), side.of.some((o) => o.system)];
    const color = system ? "#1a7f37" : "#57606a";
    return `<text x="${left - 12}" y="${y + 4}" class="${system ? "system" : "side"}">${safe(side.name)}</text><line x1="${x(from)}" x2="${x(to)}" y1="${y}" y2="${y}" stroke="${color}" stroke-width="2"/><circle cx="${x(estimate)}" cy="${y}" r="4" fill="${color}"/>`;
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 40} ${height}" font-family="system-ui, sans-serif" role="img">
<title>${safe(cluster.title)}</title>
<style>svg{background:#fff}text{font-size:12px;fill:#57606a}.side,.system{text-anchor:end}.system{font-weight:600;fill:#1f2328}.tick{stroke:#eaeef2}.axis{text-anchor:middle;font-size:11px}</style>
<text x="${left}" y="18">${safe(describe(metric, results))}; green: systems</text>
${ticks.map((t) => `<line x1="${x(t)}" x2="${x(t)}" y1="${top - 8}" y2="${height - 26}" class="tick"/><text x="${x(t)}" y="${height - 10}" class="axis">${figure(t)}</text>`).join("")}
${sides.map(line).join("\n")}
</svg>
`;
}
