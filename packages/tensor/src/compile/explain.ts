import type { CostModel } from "../kernel/cost.ts";
import { type Plan, stepTime } from "../lower/lower.ts";
import type { Traced } from "./specialise.ts";

const si = (v: number, unit: string) => {
  const k = v >= 1e9 ? [1e9, "G"] : v >= 1e6 ? [1e6, "M"] : v >= 1e3 ? [1e3, "k"] : [1, ""];
  return `${(v / (k[0] as number)).toPrecision(3)} ${k[1]}${unit}`;
};
export const time = (s: number) => (s < 1e-3 ? `${(s * 1e6).toFixed(1)} µs` : `${(s * 1e3).toFixed(2)} ms`);

/** The plan as a table: one line per kernel call, then the totals with the measured time. */
export function explainPlan(
  traced: Traced,
  backend: string,
  plan: Plan,
  cost: CostModel,
  bind: () => { run(): void; dispose(): void },
): string {
  const bound = bind();
  const measured = measure(() => bound.run());
  bound.dispose();
  const lines = plan.infos.map((i) => [
    i.label.length > 90 ? `${i.label.slice(0, 87)}…` : i.label,
    si(i.flop * i.times, "FLOP"),
    si(i.bytes * i.times, "B"),
    time(stepTime(i, cost)),
  ]);
  const width = Math.max(10, ...lines.map((l) => l[0].length));
  const flop = plan.infos.reduce((n, i) => n + i.flop * i.times, 0);
  const bytes = plan.infos.reduce((n, i) => n + i.bytes * i.times, 0);
  return [
    `${traced.name} on ${backend}: ${traced.graph.nodes.length} operations in ${plan.kernels} kernels, ${plan.infos.length} steps, ${plan.threads} thread${plan.threads > 1 ? "s" : ""}`,
    `${"kernel".padEnd(width)}  ${"work".padStart(11)}  ${"memory".padStart(9)}  ${"predicted".padStart(10)}`,
    ...lines.map(
      ([a, b, c, d]) => `${a.padEnd(width)}  ${b.padStart(11)}  ${c.padStart(9)}  ${d.padStart(10)}`,
    ),
    `arena ${si(plan.arenaBytes, "B")}, moved ${si(bytes, "B")}, ${si(flop, "FLOP")}, predicted ${time(plan.predicted)}, measured ${time(measured)} (${si(flop / measured, "FLOP/s")})`,
  ].join("\n");
}

/** The median of a few runs after a warm-up. */
function measure(run: () => void): number {
  const samples: number[] = [];
  const start = performance.now();
  for (let i = 0; i < 50 && (i < 5 || performance.now() - start < 300); i++) {
    const t = performance.now();
    run();
    samples.push((performance.now() - t) / 1e3);
  }
  return samples.sort((a, b) => a - b)[samples.length >> 1];
}
