import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ppo } from "@reins/algorithms";
import type { VectorEnv } from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { makeSingle } from "@reins/envs";
import { expect, it, vi } from "vitest";
import { loadAgent } from "./agents/load-agent.ts";
import { folder, reins } from "./cli/testing.ts";
import { train } from "./train.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const written = (code = "") => {
  const file = join(folder(), "env.mjs");
  writeFileSync(
    file,
    `export default class {
      spec = { id: "Drift-v0", observation: { kind: "box", shape: [1], low: -9, high: 9 }, action: { kind: "discrete", n: 2, start: 0 }, maxSteps: 7 };
      reset({ seed } = {}) { if (seed !== undefined) this.seed = seed % 5; this.at = this.seed; return { observation: [this.at] }; }
      step(action) { ${code} this.at += action - 0.5; return { observation: [this.at], reward: -Math.abs(this.at), terminated: false, truncated: false }; }
      save() { return { seed: this.seed, at: this.at }; }
      restore({ seed, at }) { this.seed = seed; this.at = at; }
    }`,
  );
  return file;
};
const training = (file: string, ...more: string[]) => {
  const run = join(folder(), "run");
  const given = ["train", "ppo", file, "--steps", "256", "--envs", "4", "--ppo-steps", "16", "--hidden", "4"];
  return { run, done: reins(...given, "--eval-episodes", "2", "--directory", run, "--quiet", ...more) };
};

it("--env-workers runs the environment of a file in threads or processes with the same numbers", async () => {
  const file = written();
  const metrics = async (...more: string[]) => {
    const { run, done } = training(file, ...more);
    const { code, err } = await done;
    expect([code, err]).toEqual([0, ""]);
    return { rows: readFileSync(join(run, "metrics.jsonl"), "utf8"), run };
  };
  const here = await metrics();
  for (const carrier of [[], ["--env-carrier", "process"]]) {
    const there = await metrics("--env-workers", "2", ...carrier);
    expect(there.rows).toBe(here.rows);
    expect((await reins("eval", there.run, "--episodes", "2")).code).toBe(0);
  }
});

it("names a dead worker process, and saves the agent", async () => {
  const file = written("if ((this.steps = (this.steps ?? 0) + 1) > 40) process.exit(7);");
  const { run, done } = training(file, "--env-workers", "2", "--env-carrier", "process");
  const { code, err } = await done;
  expect(code).toBe(1);
  expect(err).toMatch(
    /env.mjs: worker process 1 of 2 .*rows 0 to 1 of Drift-v0, has ended.*process.exit\(7\)/,
  );
  expect(readFileSync(join(run, "summary.json"), "utf8")).toContain("crashed");
  const agent = await loadAgent(join(run, "last.agent"));
  expect([agent.steps, agent.act([0])]).toEqual([128, expect.any(Number)]);
});

it("refuses a carrier without workers", async () => {
  const { code, err } = await training(written(), "--env-carrier", "process").done;
  expect([code, err]).toEqual([1, expect.stringContaining("there are no workers")]);
});

it("closes the copy created for inspection", async () => {
  const made: VectorEnv[] = [];
  const closed: VectorEnv[] = [];
  const env = (rows: number): VectorEnv => {
    const one = vectorise(() => makeSingle("CartPole-v1"), rows);
    made.push(one);
    const close = one.close?.bind(one);
    one.close = () => {
      closed.push(one);
      close?.();
    };
    return one;
  };
  await train({ algorithm: ppo({ envs: 2, steps: 8, hidden: [4] }), env, steps: 16, evalEpisodes: 1 });
  // The training environment stays open: the run may continue.
  expect(made.filter((one) => !closed.includes(one)).map((one) => one.rows)).toEqual([2]);
  expect(made.length).toBe(3);
});
