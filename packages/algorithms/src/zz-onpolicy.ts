// usage: zz-onpolicy.ts algo env steps seeds(0-9) optionsJSON [target] [--all]
import { evaluate, Run } from "@reins/core";
import { make } from "@reins/envs";
import { a2c } from "./a2c.ts";
import { grpo } from "./grpo.ts";
import { ppo } from "./ppo.ts";
import { reinforce } from "./reinforce.ts";
const [algo, id, stepsText, seedText, json = "{}", targetText = "NaN"] = process.argv.slice(2);
const all = process.argv.includes("--all");
const makers: any = { ppo, a2c, reinforce, grpo };
const [from, to] = seedText.split("-").map(Number);
const { wrappers = [], envOptions = {}, ...options } = JSON.parse(json);
const wrap: any = wrappers.length ? await import("../../envs/src/wrappers/index.ts" as string) : {};
const build = (rows: number) => wrappers.reduce((e: any, w: string) => wrap[w](e), make(id as any, { rows, ...envOptions } as any));
const one = build(1);
const target = Number(targetText);
const out: any[] = [];
for (let seed = from; seed <= (to ?? from); seed++) {
  const c0 = process.cpuUsage(); const t0 = performance.now();
  const run = new Run({ algorithm: makers[algo](options), env: { spec: one.spec, make: build }, steps: Number(stepsText), seed });
  const cpu = () => { const c = process.cpuUsage(c0); return (c.user + c.system) / 1e6; };
  let solved = NaN, solvedCpu = NaN, best = -Infinity;
  while (!run.finished) {
    run.round();
    const m = run.metrics["return/mean"];
    if (run.metrics.episodes >= 100) best = Math.max(best, m);
    if (Number.isNaN(solved) && run.metrics.episodes >= 100 && m >= target) { solved = run.steps; solvedCpu = cpu(); if (!all) break; }
  }
  const total = cpu();
  const e = run.process.acting && process.argv.includes("--eval") ? evaluate(run) : undefined;
  out.push({ seed, solved, solvedCpu, final: run.metrics["return/mean"], steps: run.steps, cpu: total, e: e?.mean });
  const f = (x: number, d = 2) => x.toFixed(d);
  console.log(seed, "solved", solved, "cpu", f(solvedCpu), "final", f(run.metrics["return/mean"], 1), "best", f(best, 1), "steps", run.steps, "cpu", f(total), "wall", f((performance.now() - t0) / 1000), e ? `eval ${f(e.mean, 1)}` : "", process.argv.includes("--metrics") ? JSON.stringify(run.metrics) : "");
}
const stat = (xs: number[]) => { const ok = xs.filter((x) => !Number.isNaN(x)); const m = ok.reduce((a, b) => a + b, 0) / ok.length; return `${m.toFixed(2)} ± ${Math.sqrt(ok.reduce((a, b) => a + (b - m) ** 2, 0) / Math.max(1, ok.length - 1)).toFixed(2)} [${Math.min(...ok).toFixed(2)}, ${Math.max(...ok).toFixed(2)}] (${ok.length}/${xs.length})`; };
console.log("SOLVED steps", stat(out.map((o) => o.solved)), "| cpu", stat(out.map((o) => o.solvedCpu)), "| final", stat(out.map((o) => o.final)), process.argv.includes("--eval") ? `| eval ${stat(out.map((o) => o.e))}` : "", "| steps/cpu-s", (out.reduce((a, o) => a + o.steps, 0) / out.reduce((a, o) => a + o.cpu, 0)).toFixed(0));
