import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { folder, reins } from "./cli/testing.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

it("--env-workers spreads the environment of a file over threads, and changes no number", async () => {
  const file = join(folder(), "env.mjs");
  writeFileSync(
    file,
    `export default class {
      spec = { id: "Drift-v0", observation: { kind: "box", shape: [1], low: -9, high: 9 }, action: { kind: "discrete", n: 2, start: 0 }, maxSteps: 7 };
      reset({ seed } = {}) { if (seed !== undefined) this.seed = seed % 5; this.at = this.seed; return { observation: [this.at] }; }
      step(action) { this.at += action - 0.5; return { observation: [this.at], reward: -Math.abs(this.at), terminated: false, truncated: false }; }
      save() { return { seed: this.seed, at: this.at }; }
      restore({ seed, at }) { this.seed = seed; this.at = at; }
    }`,
  );
  const metrics = async (...more: string[]) => {
    const run = join(folder(), "run");
    const { code, err } = await reins(
      ...["train", "ppo", file, "--steps", "256", "--envs", "4", "--ppo-steps", "16", "--hidden", "4"],
      ...["--eval-episodes", "2", "--directory", run, "--quiet", ...more],
    );
    expect([code, err]).toEqual([0, ""]);
    return { rows: readFileSync(join(run, "metrics.jsonl"), "utf8"), run };
  };
  const [here, there] = [await metrics(), await metrics("--env-workers", "2")];
  expect(there.rows).toBe(here.rows);
  expect((await reins("eval", there.run, "--episodes", "2")).code).toBe(0);
});
