import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ppo } from "@reins/algorithms";
import { gymnasium, pettingzoo } from "@reins/envs/remote";
import { describe, expect, it, vi } from "vitest";
import { hasGymnasium, hasPettingZoo, python, testingFolder } from "../../envs/dist/remote/testing-python.js";
import { folder, reins } from "./cli/testing.ts";
import { train } from "./train.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

describe.skipIf(!hasGymnasium)(`environments in Python (${python} needs gymnasium)`, () => {
  it("trains identically in Python and Node for equal seeds", async () => {
    const algorithm = () => ppo({ envs: 4, steps: 32, minibatches: 2, hidden: [8] });
    const options = { steps: 512, seed: 3, evalEpisodes: 5 };
    const here = await train({ ...options, algorithm: algorithm(), env: "CartPole-v1" });
    const place = await train({ ...options, algorithm: algorithm(), env: gymnasium("CartPole-v1") });
    const named = await train({ ...options, algorithm: algorithm(), env: "gymnasium:CartPole-v1" });
    for (const there of [place, named]) {
      expect(there.run.metrics).toEqual(here.run.metrics);
      expect(there.return).toEqual(here.return);
    }
  });

  it("trains in a Gymnasium environment from the command line, with its options", async () => {
    const run = join(folder(), "run");
    const { code, out } = await reins(
      ...["train", "q", "gymnasium:FrozenLake-v1", "--env-is-slippery", "false", "--steps", "1000"],
      ...["--eval-episodes", "2", "--directory", run, "--quiet", "--json"],
    );
    expect(code).toBe(0);
    expect(JSON.parse(out.trim().split("\n").at(-1)!)).toMatchObject({ steps: 1000 });
    const config = JSON.parse(readFileSync(join(run, "config.json"), "utf8"));
    expect([config.env, config.envOptions]).toEqual(["gymnasium:FrozenLake-v1", { isSlippery: false }]);
    // The state of Python environments cannot be saved; the agent can.
    const measured = await reins("eval", run, "--episodes", "2", "--json");
    expect([measured.code, measured.err]).toEqual([0, ""]);
    expect(JSON.parse(measured.out).return.mean).toBe(1);
  });

  it("never takes masked actions", async () => {
    vi.stubEnv("PYTHONPATH", testingFolder);
    for (const says of ["info", "method"]) {
      const env = gymnasium("reins_testing:Narrow-v0", { options: { says } });
      const algorithm = ppo({ envs: 2, steps: 10, minibatches: 2, hidden: [4] });
      const { training, return: measured } = await train({ algorithm, env, steps: 60, evalEpisodes: 2 });
      // Only allowed actions have rewards, and all five steps of each episode have one.
      expect([training.mean, measured.mean]).toEqual([5, 5]);
    }
  });

  it.skipIf(!hasPettingZoo)(`trains in a PettingZoo environment (${python} needs mpe2)`, async () => {
    const env = pettingzoo("mpe2.simple_spread_v3", { options: { maxCycles: 10 } });
    const algorithm = ppo({ envs: 2, steps: 20, minibatches: 2, hidden: [8] });
    const agent = await train({ algorithm, env, steps: 240, evalEpisodes: 2 });
    expect(agent.run.metrics["loss/policy"]).not.toBeNaN();
    // Each of three agents has a return in each episode.
    expect(agent.return.episodes).toBe(6);
    expect(agent.return.mean).toBeLessThan(0);
  });

  it("uses tuned settings for the Gymnasium environment of the same name", async () => {
    const tuned = await train({
      algorithm: "ppo",
      env: "gymnasium:CartPole-v1",
      steps: 100,
      evalEpisodes: 0,
    });
    const here = await train({ algorithm: "ppo", env: "CartPole-v1", steps: 100, evalEpisodes: 0 });
    expect(tuned.run.options.algorithm.options).toEqual(here.run.options.algorithm.options);
    expect(tuned.run.options.algorithm.options).not.toEqual(ppo().options);
  });

  it("reports a missing environment in one line", async () => {
    const { code, err } = await reins("train", "ppo", "gymnasium:NoSuch-v0", "--steps", "10");
    expect(code).toBe(1);
    expect(err).toContain("gymnasium:NoSuch-v0: ");
    expect(err).toContain("NoSuch");
  });

  it("exports environments to Gymnasium that pass its checker", () => {
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    const { status, stdout, stderr } = spawnSync(python, [join(testingFolder, "check_reins.py")], {
      encoding: "utf8",
      env: {
        ...process.env,
        PYTHONPATH: join(root, "packages/envs/python"),
        REINS: `${process.execPath} ${join(root, "packages/reins/bin/reins.js")}`,
      },
    });
    expect([status, status ? stderr : ""]).toEqual([0, ""]);
    const { picture, ...found } = JSON.parse(stdout.trim().split("\n").at(-1)!);
    const same = { equal: true, space: true };
    expect(found).toMatchObject({ "CartPole-v1": same, "Pendulum-v1": same, "FrozenLake-v1": same });
    expect(found).toMatchObject({ "Blackjack-v1": same, steps: [4, 8], code: 0 });
    expect(found.wrong).toContain("FrozenLake-v1: action 9 is outside Discrete(4)");
    expect(found.missing).toContain("the Node process ended");
    expect(picture.length).toBeGreaterThan(10);
    expect(stderr).toContain("Did you mean CartPole-v0 or CartPole-v1?");
  });
});
