import { leaves, setBackend } from "@reins/tensor";
import { expect, it } from "vitest";
import { dqn } from "./dqn.ts";
import { ppo } from "./ppo.ts";
import { sac } from "./sac.ts";
import { score, trained } from "./testing-envs.ts";
import { brightPixel } from "./testing-images.ts";

setBackend("wasm");

const replayed = {
  batch: 32,
  learningStarts: 200,
  capacity: 4000,
  gamma: 0.5,
  hidden: [32],
  envs: 8,
  trainEvery: 1,
};
const actorCritic = { ...replayed, criticRate: 3e-3, tau: 0.05 };

const learns = [
  ["dqn", dqn({ ...replayed, learningRate: 1e-3 }), "discrete", 6000],
  ["sac", sac({ ...actorCritic, learningRate: 1e-3, targetShare: 0.2 }), "discrete", 5000],
  ["ppo", ppo({ hidden: [32], gamma: 0.5, learningRate: 2e-3, envs: 16, steps: 32 }), "discrete", 12_000],
] as const;
for (const [name, algorithm, kind, steps] of learns) {
  const tags = name === "dqn" ? [] : ["slow"];

  it(`${name} learns from small images`, { tags }, () => {
    const run = trained({ algorithm, env: brightPixel(kind), steps, seed: 1 });
    const { weights } = run.process.acting!;
    expect(leaves(weights).map((t) => t.shape)).toContainEqual([16, 2, 3, 3]);
    expect(score(run, 64)).toBeGreaterThan(3);
  });
}
