import { figure, intervalText } from "../../claims/text.ts";
import { tInterval } from "../../statistics/interval.ts";
import { type Cluster, type ComparedSide, comparedSides, metricOf, ownArms, resultsIn } from "../cluster.ts";
import type { Result } from "../result.ts";
import type { BookRow } from "../rows.ts";
import { claimTable, dotsLegend } from "./claims.ts";
import { link, markdownTable } from "./links.ts";
import { wrapped } from "./markdown.ts";
import { safe } from "./svg.ts";

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

${wrapped(dotsLegend)}

${claimTable(measured, "../")}

${wrapped(`Deviations and findings: ${shown.map((r) => link(r, "../")).join(", ")}.`)}
`;
}

const together = (cluster: Cluster, results: readonly Result[]): string => `
All measured arms with their tuned settings, by their paired difference from the baseline that most
recipes share. Systems are in bold; arms of several recipes with equal values are one row. Values are
means over the evaluation seeds of both blocks, differences are over the seeds of both arms, with
95% intervals.

![All arms, best first](${cluster.name}.svg)

${tableOf(comparedSides(cluster, results), cluster.metrics, results)}
`;

/** A recipe on its own: its task, from the first of its deviations, and its arms. */
function alone({ system: { id }, entry, result }: BookRow): string {
  const task = entry?.kind === "recipe" ? (entry.deviations[0] ?? "") : "";
  const table = tableOf(ownArms(result!), Object.keys(result!.metrics), [result!]);
  return `\n### ${id}\n\n${wrapped(task)}\n\n${table}\n`;
}

function tableOf(
  sides: readonly ComparedSide[],
  metrics: readonly string[],
  results: readonly Result[],
): string {
  const baseline = sides.find((s) => !s.differences);
  const head = [
    "arm",
    "recipe",
    "replicates",
    `${aboutOf(metrics[0], results)}: difference from ${baseline?.name ?? "the baseline"}`,
    ...metrics.map((m) => describe(m, results)),
  ];
  const lines = sides.map((side) => [
    isSystem(side) ? `**${side.name}**` : side.name,
    side.of.map((o) => o.id).join(", "),
    `${side.replicates.length}`,
    side === baseline ? "0" : changeOf(side),
    ...metrics.map((m) => figure(tInterval(side.values[m]).estimate)),
  ]);
  return markdownTable(head, lines);
}

const isSystem = (side: ComparedSide): boolean => side.of.some((o) => o.system);

function changeOf({ differences = [] }: ComparedSide): string {
  if (differences.length < 2) return "no common seeds";
  const interval = tInterval(differences);
  const text = intervalText(interval, false).replaceAll("-", "−");
  return interval.estimate > 0 ? `+${text}` : text;
}

const aboutOf = (name: string, results: readonly Result[]): string => metricOf(name, results)?.about ?? name;

function describe(name: string, results: readonly Result[]): string {
  const metric = metricOf(name, results);
  return metric ? `${metric.about} (${metric.better} is better)` : name;
}

const [rowHeight, top, left, width] = [26, 44, 260, 520];

/** The paired differences of a cluster's arms from the baseline as dots with intervals, in its first metric. */
export function clusterPlot(cluster: Cluster, rows: readonly BookRow[]): string {
  const results = resultsIn(cluster, rows);
  const all = comparedSides(cluster, results);
  const baseline = all.find((s) => !s.differences);
  const sides = all.filter((s) => !s.differences || s.differences.length > 1);
  const [metric] = cluster.metrics;
  const spans = sides.map((s) => tInterval(s.differences ?? [0, 0]));
  const low = Math.min(...spans.map((s) => s.low));
  const high = Math.max(...spans.map((s) => s.high));
  const room = (high - low || 1) * 0.05;
  const x = (v: number) => left + (width * (v - low + room)) / (high - low + 2 * room || 1);
  const height = top + rowHeight * sides.length + 30;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((t) => low + t * (high - low));
  const line = (side: ComparedSide, i: number) => {
    const { estimate, low: from, high: to } = spans[i];
    const [y, system] = [top + rowHeight * (i + 0.5), isSystem(side)];
    const color = system ? "#1a7f37" : "#57606a";
    return `<text x="${left - 12}" y="${y + 4}" class="${system ? "system" : "side"}">${safe(side.name)}</text><line x1="${x(from)}" x2="${x(to)}" y1="${y}" y2="${y}" stroke="${color}" stroke-width="2"/><circle cx="${x(estimate)}" cy="${y}" r="4" fill="${color}"/>`;
  };
  const title = `${describe(metric, results)}: difference from ${baseline?.name ?? "the baseline"}; green: systems`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 40} ${height}" font-family="system-ui, sans-serif" role="img">
<title>${safe(cluster.title)}</title>
<style>svg{background:#fff}text{font-size:12px;fill:#57606a}.side,.system{text-anchor:end}.system{font-weight:600;fill:#1f2328}.tick{stroke:#eaeef2}.zero{stroke:#57606a}.axis{text-anchor:middle;font-size:11px}</style>
<text x="8" y="18">${safe(title)}</text>
${ticks.map((t) => `<line x1="${x(t)}" x2="${x(t)}" y1="${top - 8}" y2="${height - 26}" class="tick"/><text x="${x(t)}" y="${height - 10}" class="axis">${figure(t)}</text>`).join("")}<line x1="${x(0)}" x2="${x(0)}" y1="${top - 8}" y2="${height - 26}" class="zero"/>
${sides.map(line).join("\n")}
</svg>
`;
}
