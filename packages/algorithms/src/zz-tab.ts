// usage: zz-tab.ts env steps seeds optionsJSON
import { Run } from "@reins/core";
import { make } from "@reins/envs";
import { q } from "./tabular-q.ts";
const models: any = await import("../../envs/src/tabular/models.ts" as string);
const solve: any = await import("../../envs/src/tabular/solve.ts" as string);
const ev: any = await import("../../envs/src/tabular/evaluate.ts" as string);
const vals: any = await import("../../envs/src/tabular/values.ts" as string);
const [id, stepsText, seedText, json = "{}"] = process.argv.slice(2);
const options = JSON.parse(json);
const [from, to] = seedText.split("-").map(Number);
const gamma = options.gamma ?? 0.99;
const mdp = models.tabularModel(id);
const best = vals.startValue(mdp, solve.valueIteration(mdp, { gamma }).values);
const env = { spec: make(id as any, {}).spec, make: (rows: number) => make(id as any, { rows }) };
const horizonValue = (policy: any) => { let v = new Float64Array(mdp.states); for (let t = 0; t < (mdp.maxSteps ?? 2000); t++) v = Float64Array.from(v, (_, s) => vals.actionValue(mdp, v, s, policy[s], 1)); return vals.startValue(mdp, v); };
let ok = 0; const times: number[] = []; const when: number[] = [];
for (let seed = from; seed <= to; seed++) {
  const c0 = process.cpuUsage();
  const run = new Run({ algorithm: q(options), env, steps: Number(stepsText), seed });
  const check = () => { const value = (run.process.acting!.weights as any).value; const [S, A] = value.shape; const policy = Int32Array.from({ length: S }, (_, s) => { let b = 0; for (let a = 1; a < A; a++) if (value.data[s * A + a] > value.data[s * A + b]) b = a; return b; });
    let got = NaN; try { got = vals.startValue(mdp, ev.evaluatePolicy(mdp, policy, { gamma: gamma === 1 ? 1 - 1e-9 : gamma })); } catch {} return { gap: best - got, success: horizonValue(policy) }; };
  let first = NaN; let cpu = 0;
  while (!run.finished) { run.advance(run.steps + Number(stepsText) / 20); const c = process.cpuUsage(c0); cpu = (c.user + c.system) / 1e6; const g = check().gap; if (g < 1e-6) { if (Number.isNaN(first)) first = run.steps; } else first = NaN; }
  const c = check(); if (c.gap < 1e-6) ok++;
  times.push(cpu); when.push(first);
  console.log(seed, "gap", c.gap.toExponential(2), "undiscounted", c.success.toFixed(4), "stays from", first, "cpu", cpu.toFixed(2), "return", run.metrics["return/mean"]?.toFixed(2), run.metrics.episodes);
}
console.log("optimum", best, "ok", ok, "of", to - from + 1, "cpu", (times.reduce((a, b) => a + b) / times.length).toFixed(2));
