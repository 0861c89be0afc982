import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { loadAgent } from "../agents/load-agent.ts";
import { folder, reins } from "../cli/testing.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
beforeEach(() => void vi.stubEnv("REINS_STATE", folder()));

const small = ["--eval-episodes", "2", "--quiet"];

it("a run whose environment cannot be kept goes on from its agent", async () => {
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
  expect(begun.err).toContain("reins train --from goes on with the agent");
  expect((await reins("resume", first)).err).toContain(`reins train --from ${first}/last.agent`);
  const agent = join(first, "last.agent");
  const more = await reins("train", env, "--from", agent, "--steps", "128", ...small, "--directory", second);
  // Its algorithm and settings are the agent's.
  expect(more.code, more.err).toBe(0);
  expect((await loadAgent(join(second, "last.agent"))).steps).toBe(128);
  expect((await reins("train", "a2c", env, "--from", agent)).err).toContain("it was trained by ppo");
});

it("algorithm and environment need not be typed where the agent says both", async () => {
  const run = join(folder(), "run");
  await reins("train", "ppo", "CartPole-v1", "--steps", "2k", ...small, "--directory", run);
  // An agent beside a checkpoint can act only: the checkpoint has the rest.
  const { err } = await reins("train", "--from", join(run, "last.agent"), "--steps", "2k");
  expect(err).toContain("it can act and not learn");
});
