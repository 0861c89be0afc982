import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ppo } from "@reins/algorithms";
import { box, discrete, type Env } from "@reins/core";
import { describe, expect, it } from "vitest";
import { load } from "../load.ts";
import { train } from "../train.ts";
import type { Trained } from "./result.ts";

const traced = {
  algorithm: "ppo",
  env: "CartPole-v1",
  envOptions: { traced: true },
  steps: 4096,
  evalEpisodes: 3,
} as const;

const weightsOf = ({ run }: Trained) => run.save();

describe("train with several seeds", () => {
  it("gives each seed the agent of a separate run, in lockstep", async () => {
    const { agents, return: r } = await train({ ...traced, seed: 4, seeds: 3 });
    expect(agents.map((a) => a.run.options.seed)).toEqual([4, 5, 6]);
    const alone = await train({ ...traced, seed: 5 });
    expect(weightsOf(agents[1])).toEqual(weightsOf(alone));
    expect(agents[1].return).toEqual(alone.return);
    expect(weightsOf(agents[0])).not.toEqual(weightsOf(alone));
    const means = agents.map((a) => a.return.mean);
    expect(r.mean).toBeCloseTo((means[0] + means[1] + means[2]) / 3, 12);
    expect(r.agents).toBe(3);
  });

  it("gives each seed the agent of a separate run, one after another", async () => {
    const options = { ...traced, envOptions: {}, algorithm: "dqn", steps: 256 } as const;
    const { agents } = await train({ ...options, seeds: [7, 3] });
    expect(agents.map((a) => a.run.options.seed)).toEqual([7, 3]);
    expect(weightsOf(agents[1])).toEqual(weightsOf(await train({ ...options, seed: 3 })));
  });

  it("does not share statistics of wrappers", async () => {
    const options = {
      ...{
        algorithm: ppo({ envs: 2, steps: 16, hidden: [4] }),
        env: "Pendulum-v1",
        steps: 512,
        evalEpisodes: 2,
      },
      wrappers: ["normaliseObservation", "normaliseReward"],
    };
    const { agents } = await train({ ...options, seeds: [1, 2] });
    for (const [i, seed] of [1, 2].entries()) {
      const alone = await train({ ...options, seed });
      expect(agents[i].return).toEqual(alone.return);
      expect(agents[i].act([1, 0, 3])).toEqual(alone.act([1, 0, 3]));
    }
  });

  it("continues if one fails, in lockstep", async () => {
    const { agents, failed } = await train({
      ...traced,
      seeds: 3,
      progressEvery: 0,
      onProgress({ run, steps }) {
        if (run.options.seed !== 1 || steps < 2048) return true;
        // The error of a run whose weights became NaN.
        run.round = () => {
          throw new Error("not a number");
        };
        return true;
      },
    });
    expect(agents.map((a) => a.run.options.seed)).toEqual([0, 2]);
    expect(failed.map(({ seed, error }) => [seed, error.message])).toEqual([[1, "not a number"]]);
    expect(weightsOf(agents[1])).toEqual(weightsOf(await train({ ...traced, seed: 2 })));
    const wild = ppo({ learningRate: 1e38, clipNorm: 1e30 });
    await expect(train({ ...traced, algorithm: wild, seeds: 2 })).rejects.toThrow("NaN");
  });

  it("continues if one fails, one after another", async () => {
    let begun = 0;
    const sometimes = (): Env => {
      const fails = begun++ === 2;
      return {
        spec: { id: "Sometimes-v0", observation: box([1], 0, 1), action: discrete(2) },
        reset: () => ({ observation: [0] }),
        step() {
          if (fails) throw new Error("boom");
          return { observation: [0], reward: 1, terminated: true, truncated: false };
        },
      };
    };
    const options = { algorithm: ppo({ envs: 1, steps: 16, minibatches: 1 }), steps: 32, evalEpisodes: 1 };
    const { agents, failed } = await train({ ...options, env: sometimes, seeds: 4 });
    expect(failed).toHaveLength(1);
    expect(failed[0].error.message).toContain("boom");
    expect(agents).toHaveLength(3);
  });

  it("continues the others when one has finished", async () => {
    let stopped = false;
    const { agents } = await train({
      ...traced,
      seeds: 2,
      progressEvery: 0,
      onProgress({ run, steps }) {
        if (run.options.seed !== 0 || steps < 2048) return true;
        stopped = true;
        return false;
      },
    });
    expect(stopped).toBe(true);
    expect(agents.map((a) => a.ended)).toEqual(["stopped", "finished"]);
    expect(agents[0].steps).toBeLessThan(4096);
    expect(weightsOf(agents[1])).toEqual(weightsOf(await train({ ...traced, seed: 1 })));
  });

  it("writes each seed to its own folder", async () => {
    const directory = mkdtempSync(join(tmpdir(), "reins-seeds-"));
    try {
      const { agents } = await train({ ...traced, steps: 2048, seeds: 2, directory });
      expect(readdirSync(directory).sort()).toEqual(["seed-0", "seed-1"]);
      const again = await load(agents[1].directory ?? "");
      expect(again.act([0.01, 0.2, 0, 0])).toEqual(agents[1].act([0.01, 0.2, 0, 0]));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it.each([
    [0, "a whole number from 1"],
    [[], "a count or a list"],
    ["x", "a count or a list"],
    [[1, 1], "appears twice"],
    [[0.5], "a whole number from 0"],
  ])("refuses %j", async (seeds, why) => {
    await expect(train({ ...traced, seeds: seeds as number })).rejects.toThrow(why);
  });

  it("refuses options for one run", async () => {
    await expect(train({ ...traced, seeds: 2, callbacks: { onUpdate() {} } })).rejects.toThrow(
      "callbacks is for a single run",
    );
  });
});
