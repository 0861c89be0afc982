const t00 = performance.now();
import { Run } from "@reins/core";
import { ppo } from "@reins/algorithms";
import { make } from "@reins/envs";
const one = make("CartPole-v1", { rows: 1 });
for (const seed of [0, 1]) {
  const t0 = performance.now();
  const run = new Run({ algorithm: ppo({}), env: { spec: one.spec, make: (rows) => make("CartPole-v1", { rows }) }, steps: 200_000, seed });
  while (!run.finished) { run.round(); if (run.metrics.episodes >= 100 && run.metrics["return/mean"] >= 475) break; }
  console.log(seed, run.steps, run.metrics["return/mean"], ((performance.now() - t0) / 1000).toFixed(2), "since start", (performance.now() / 1000).toFixed(2));
}
