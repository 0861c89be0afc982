import { Run } from "@reins/core";
import { ppo } from "@reins/algorithms";
import { make } from "@reins/envs";
const big = process.argv.includes("big");
const one = make("CartPole-v1", { rows: 1 });
const run = new Run({ algorithm: big ? ppo({ envs: 1024, steps: 64, epochs: 1, minibatches: 8, hidden: [128], activation: "relu", shared: true }) : ppo({ envs: 4, steps: 128 }), env: { spec: one.spec, make: (rows) => make("CartPole-v1", { rows }) }, steps: 50_000_000, seed: 1 });
const p: any = run.process; const roll: any = (p.parts as any).rollout;
const orig = roll.next.bind(roll); let tr = 0;
roll.next = () => { const t = performance.now(); const r = orig(); tr += performance.now() - t; return r; };
const oact = roll.act; let ta = 0; 
if (process.argv.includes("act")) roll.act = () => { const t = performance.now(); const r = oact(); ta += performance.now() - t; return r; };
run.advance(big ? 600_000 : 50_000);
for (let k = 0; k < 4; k++) { tr = 0; ta = 0; const c0 = process.cpuUsage().user; const t = performance.now(); const s0 = run.steps; run.advance(run.steps + (big ? 2_000_000 : 100_000)); const dt = performance.now() - t; console.log("cpu", ((run.steps - s0) / ((process.cpuUsage().user - c0) / 1e6)).toFixed(0), "wall", ((run.steps - s0) / dt * 1000).toFixed(0), "rollout share", (tr / dt).toFixed(3), "act", (ta/dt).toFixed(3)); }
