import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a search of four trials in the format of `reins tune`: two seeds each, one trial trained to the end, one failed. */
export function writeTuning(root: string, name: string, { finished = true } = {}): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  const space = [
    { name: "learningRate", low: 1e-4, high: 1e-2, scale: "log", whole: false },
    { name: "activation", choices: ["tanh", "relu"] },
  ];
  const plan = { space, trials: 4, steps: 900, seeds: [50, 51], seed: 0 };
  const setup = { algorithm: "ppo", env: "CartPole-v1", envOptions: {}, typed: {}, steps: 900, episodes: 5 };
  const stamp = JSON.stringify(["asha", plan, setup]);
  const rates = [1e-4, 1e-3, 1e-2, 5e-3];
  const line = (trial: number, seed: number, rung: number, result: object) => ({
    stamp,
    task: {
      ...{ trial, seed, rung, to: rung === 0 ? 300 : 900 },
      settings: { learningRate: rates[trial], activation: trial % 2 ? "relu" : "tanh" },
    },
    result,
  });
  const scored = (trial: number, rung: number, score: number) =>
    plan.seeds.map((seed, i) =>
      line(trial, seed, rung, { score: score + 10 * (2 * i - 1), steps: 300, seconds: 1 }),
    );
  const lines = [
    ...scored(0, 0, 50),
    ...scored(1, 0, 220),
    ...scored(2, 0, 200),
    ...plan.seeds.map((seed) => line(3, seed, 0, { failed: "the loss is NaN" })),
    ...scored(1, 1, 400),
    ...scored(2, 1, 450),
  ];
  writeFileSync(join(path, "journal.jsonl"), lines.map((l) => `${JSON.stringify(l)}\n`).join(""));
  const test = (scores: readonly number[], mean: number) => ({
    mean,
    interval: [mean - 20, mean + 20],
    scores,
  });
  const best = {
    settings: { learningRate: 0.01, activation: "tanh" },
    command: "reins train ppo CartPole-v1 --learning-rate 0.01",
    tuning: 450,
    test: { best: test([460, 480], 470), plain: test([300, 340], 320) },
    returnBounds: [0, 480],
    importance: { learningRate: 0.6, activation: 0.05 },
  };
  if (finished) writeFileSync(join(path, "best.json"), JSON.stringify(best));
  return path;
}
