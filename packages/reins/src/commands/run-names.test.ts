import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
beforeEach(() => void vi.stubEnv("REINS_STATE", folder()));

const env = `export default class {
  spec = { id: "Coin-v0", observation: { kind: "box", shape: [1], low: -1, high: 1 }, action: { kind: "discrete", n: 2, start: 0 }, maxSteps: 4 };
  reset() { return { observation: [0] }; }
  step(action) { return { observation: [0], reward: action, terminated: true, truncated: false }; }
}`;
const task = `export default {
  id: "letters", about: "Copy a letter.", levels: 1, alphabet: "ab:0123456789", longest: { prompt: 5, answer: 1 },
  make: (random) => { const letter = "ab"[random.integers(2)]; return { prompt: random.integers(100) + ":" + letter, answer: letter, data: {} }; },
  verify: (problem, answer) => ({ score: answer === problem.answer ? 1 : 0, wellFormed: true }),
}`;

it("a run is named after its algorithm and task file, with a number", async () => {
  const here = process.cwd();
  process.chdir(folder());
  onTestFinished(() => process.chdir(here));
  mkdirSync("coin");
  for (const file of ["my-env.mjs", "coin/index.mjs"]) writeFileSync(file, env);
  writeFileSync("my-task.mjs", task);
  writeFileSync("my-problems.jsonl", '{"prompt":"a:","answer":"a"}\n{"prompt":"b:","answer":"b"}\n');
  const small = ["--steps", "64", "--eval-episodes", "0", "--quiet"];
  const control = ["--envs", "2", "--ppo-steps", "16", "--hidden", "4", ...small];
  const model = ["--env-width", "16", "--env-layers", "1", "--batch", "2", ...small];
  for (const command of [
    ["ppo", "./my-env.mjs", ...control],
    ["ppo", "./my-env.mjs", ...control],
    ["ppo", "./coin/index.mjs", ...control],
    ["sft", "./my-task.mjs", ...model],
    ["sft", "./my-problems.jsonl", "--env-test", "0", ...model],
  ]) {
    const { code, err } = await reins("train", ...command);
    expect(code, `${command.join(" ")}\n${err}`).toBe(0);
  }
  expect(readdirSync("runs").sort()).toEqual([
    "ppo-coin-1",
    "ppo-my-env-1",
    "ppo-my-env-2",
    "sft-my-problems-1",
    "sft-my-task-1",
  ]);
});
