import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { box, discrete } from "@reins/core";
import { beforeEach, expect, it, vi } from "vitest";
import { loadAgent } from "../agents/load-agent.ts";
import { folder, reins } from "../cli/testing.ts";
import { train } from "../train.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
beforeEach(() => void vi.stubEnv("REINS_STATE", folder()));

const small = ["--eval-episodes", "2", "--quiet"];

it("continues with the agent of a run whose environment has no save()", async () => {
  const env = join(folder(), "env.mjs");
  writeFileSync(
    env,
    `export default class {
      spec = { id: "Unkept-v0", observation: { kind: "box", shape: [1], low: -1, high: 1 }, action: { kind: "discrete", n: 2, start: 0 }, maxSteps: 10 };
      count = 0;
      reset() { this.count = 0; return { observation: [0] }; }
      step(action) { this.count++; return { observation: [0], reward: action, terminated: false, truncated: this.count >= 10 }; }
    }`,
  );
  const [first, second] = [join(folder(), "run"), join(folder(), "run")];
  const options = ["--envs", "2", "--ppo-steps", "16", "--hidden", "4", "--steps", "64", ...small];
  const begun = await reins("train", "ppo", env, ...options, "--directory", first);
  expect(begun.err).toContain("reins train --from continues with the agent");
  expect((await reins("resume", first)).err).toContain(`reins train --from ${first}/last.agent`);
  const agent = join(first, "last.agent");
  const more = await reins("train", env, "--from", agent, "--steps", "128", ...small, "--directory", second);
  // Algorithm and settings come from the agent.
  expect(more.code, more.err).toBe(0);
  expect((await loadAgent(join(second, "last.agent"))).steps).toBe(64 + 128);
  expect((await reins("train", "a2c", env, "--from", agent)).err).toContain("the agent was trained by ppo");
  for (const command of ["scores", "tune"])
    expect((await reins(command, "ppo", env, "--from", agent)).err).toContain(
      "--from is not supported. Leave it out.",
    );
});

it("a resumed run that continues an agent counts the earlier steps", async () => {
  const [first, second] = [join(folder(), "run"), join(folder(), "run")];
  const short = ["--envs", "2", "--ppo-steps", "16", "--hidden", "4", ...small];
  await reins("train", "ppo", "CartPole-v1", "--steps", "64", ...short, "--directory", first);
  await reins("train", "--from", first, "--steps", "96", ...small, "--directory", second);
  const { code, err } = await reins("resume", second, "--steps", "128");
  expect(code, err).toBe(0);
  expect((await loadAgent(join(second, "last.agent"))).steps).toBe(64 + 128);
});

it("--from supplies algorithm and environment", async () => {
  const run = join(folder(), "run");
  await reins("train", "ppo", "CartPole-v1", "--steps", "2k", ...small, "--directory", run);
  // An agent file beside a checkpoint has no training state; the checkpoint has. Both paths work.
  const [one, other] = [join(folder(), "run"), join(folder(), "run")];
  for (const [from, to] of [
    [run, one],
    [join(run, "last.agent"), other],
  ]) {
    const { err, code } = await reins("train", "--from", from, "--steps", "2k", ...small, "--directory", to);
    expect(code, err).toBe(0);
  }
  const lines = (at: string) => readFileSync(join(at, "metrics.jsonl"), "utf8");
  expect(lines(one)).toBe(lines(other));
  const anew = join(folder(), "run");
  await reins("train", "ppo", "CartPole-v1", "--steps", "2k", ...small, "--directory", anew);
  expect(lines(one)).not.toBe(lines(anew));
  // Elsewhere the file has no training state.
  const alone = join(folder(), "last.agent");
  copyFileSync(join(run, "last.agent"), alone);
  const { err } = await reins("train", "--from", alone, "--steps", "2k");
  expect(err).toContain("the file has no training state");
});

it("--from finds the environment file of the run", async () => {
  const env = join(folder(), "env.mjs");
  writeFileSync(
    env,
    `export default () => {
      let at = 0;
      return {
        spec: { id: "Kept-v0", observation: { kind: "box", shape: [1], low: -1, high: 1 }, action: { kind: "discrete", n: 2, start: 0 }, maxSteps: 10 },
        reset: () => ({ observation: [(at = 0)] }),
        step: (action) => ({ observation: [0], reward: action, terminated: ++at >= 10, truncated: false }),
        save: () => at,
        restore: (saved) => void (at = saved),
      };
    }`,
  );
  const [run, next] = [join(folder(), "run"), join(folder(), "run")];
  const options = ["--envs", "2", "--ppo-steps", "16", "--hidden", "4", "--steps", "64", ...small];
  await reins("train", "ppo", env, ...options, "--directory", run);
  const more = await reins("train", "--from", run, "--steps", "64", ...small, "--directory", next);
  expect(more.code, more.err).toBe(0);
});

it("--from says how to name the environment of a program", async () => {
  const run = join(folder(), "run");
  const spec = {
    id: "Own-v0",
    observation: box([1], -1, 1),
    action: discrete(2),
    maxSteps: 10,
  };
  const env = () => ({
    spec,
    reset: () => ({ observation: [0] }),
    step: () => ({ observation: [0], reward: 0, terminated: true, truncated: false }),
  });
  await train({ algorithm: "ppo", env, steps: 64, evalEpisodes: 0, directory: run });
  const { err } = await reins("train", "--from", run, "--steps", "64");
  const agent = join(run, "last.agent");
  expect(err).toContain(
    `${agent} was trained on Own-v0, which is not registered. Give the file of the environment: reins train ./my-env.js --from ${agent}.`,
  );
  const flag = await reins("train", "--from", run, "--env", "./my-env.js");
  expect(flag.err).toContain(
    "the environment has no flag here. Give it as a word: reins train ppo ./my-env.js.",
  );
});
