import { ppo } from "@reins/algorithms";
import { box, discrete, type Env } from "@reins/core";
import { PolicyRunner } from "@reins/core/policies";
import { innermost, type NormalisedObservation } from "@reins/envs";
import type { Tensor } from "@reins/tensor";
import { describe, expect, it, vi } from "vitest";
import { folder } from "./cli/testing.ts";
import { evaluate } from "./evaluate.ts";
import { load, resume } from "./load.ts";
import { train } from "./train.ts";

// On WebAssembly, so that no C compiler runs: these tests are about training, not about its speed.
vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

/** Small, so that these tests take seconds. */
const algorithm = ppo({ envs: 4, steps: 32, hidden: [16] });
const options = { algorithm, env: "CartPole-v1", steps: 2048, seed: 3, evalEpisodes: 8 };

/** One step per episode; the correct action is the observation. */
class Echo implements Env {
  readonly spec = {
    id: "Echo-v0",
    observation: discrete(3),
    action: discrete(3),
    maxSteps: 1,
    solvedAt: 0.9,
  };
  private asked = 0;
  private random = 1;
  reset({ seed }: { seed?: number } = {}) {
    if (seed !== undefined) this.random = (seed % 2147483646) + 1;
    this.random = (this.random * 48271) % 2147483647;
    this.asked = this.random % 3;
    return { observation: this.asked };
  }
  step(action: unknown) {
    return {
      observation: this.asked,
      reward: action === this.asked ? 1 : 0,
      terminated: true,
      truncated: false,
    };
  }
}

describe("train", () => {
  it("trains and evaluates an agent", async () => {
    const trained = await train(options);
    expect(trained.steps).toBe(2048);
    expect(trained.ended).toBe("finished");
    expect(trained.return.episodes).toBe(8);
    expect(trained.return.mean).toBeGreaterThan(5);
    expect(trained.training.mean).toBe(trained.run.metrics["return/mean"]);
    expect(trained.stepsPerSecond).toBeGreaterThan(0);
    expect(trained.directory).toBeUndefined();
    expect([0, 1]).toContain(trained.act([0, 0, 0.1, 0]));
    expect(() => trained.act([0, 0])).toThrow();
  });

  it("gives the same run for the same seed", async () => {
    const [a, b, c] = [await train(options), await train(options), await train({ ...options, seed: 4 })];
    expect(b.return).toEqual(a.return);
    expect(b.training).toEqual(a.training);
    expect(c.training).not.toEqual(a.training);
  });

  it("trains in a custom environment, and stops when it is solved", async () => {
    const trained = await train({
      algorithm: ppo({ learningRate: 3e-3 }),
      env: () => new Echo(),
      steps: 50_000,
      solved: true,
    });
    expect(trained.ended).toBe("solved");
    expect(trained.steps).toBeLessThan(50_000);
    expect(trained.return.mean).toBeGreaterThan(0.9);
    expect([0, 1, 2].map((x) => trained.act(x))).toEqual([0, 1, 2]);
    expect((await trained.evaluate(10)).mean).toBeGreaterThan(0.9);
    expect(evaluate(trained.run, () => new Echo(), { episodes: 10, greedy: false }).count).toBe(10);
  });

  it("reports the outcome of a short run", async () => {
    const seen: number[] = [];
    const { steps } = await train({
      ...options,
      evalEpisodes: 0,
      onProgress: (p) => void seen.push(p.steps),
    });
    expect(seen.at(-1)).toBe(steps);
  });

  it("reports progress, and stops when onProgress returns false", async () => {
    const seen: number[] = [];
    const trained = await train({
      ...options,
      steps: 1e9,
      progressEvery: 10,
      onProgress: (p) => seen.push(p.steps) < 3,
    });
    expect(trained.ended).toBe("stopped");
    expect(seen.length).toBe(3);
    // The agent was not evaluated.
    expect(trained.return).toEqual({ mean: Number.NaN, std: Number.NaN, episodes: 0 });
    expect(trained.training.episodes).toBeGreaterThan(0);
  });

  it("refuses unknown names and options", async () => {
    await expect(train({ ...options, algorithm: "ppp" })).rejects.toThrow(
      "ppp does not exist. Did you mean ppo",
    );
    await expect(train({ ...options, env: "CartPole-v7" })).rejects.toThrow(
      "Did you mean CartPole-v0 or CartPole-v1?",
    );
    const noGoal = () => Object.assign(new Echo(), { spec: { ...new Echo().spec, solvedAt: undefined } });
    await expect(train({ ...options, env: noGoal, solved: true })).rejects.toThrow(
      "Echo-v0: the environment does not define solvedAt",
    );
  });
});

describe("a run in a directory", () => {
  it("is loaded unchanged", async () => {
    const directory = `${folder()}/run`;
    const trained = await train({ ...options, directory });
    const agent = await load(directory);
    expect([agent.steps, agent.algorithm]).toEqual([2048, "ppo"]);
    expect((await agent.evaluate(8, { seed: 3 })).mean).toBe(trained.return.mean);
    for (const x of [-0.1, 0, 0.1]) expect(agent.act([x, 0, x, 0])).toBe(trained.act([x, 0, x, 0]));
    await expect(train({ ...options, directory })).rejects.toThrow("the directory already holds a run");
  });

  it("continues bit for bit after a stop", async () => {
    const whole = await train({ ...options, steps: 6144 });
    const directory = `${folder()}/run`;
    let looks = 0;
    const half = await train({
      ...options,
      steps: 6144,
      directory,
      progressEvery: 0,
      // Not later: on a fast machine the run ends after a few looks.
      onProgress: () => ++looks < 2,
    });
    expect(half.ended).toBe("stopped");
    expect(half.steps).toBeLessThan(6144);
    const rest = await resume(directory, { evalEpisodes: 8 });
    expect(rest.steps).toBe(6144);
    expect(rest.return).toEqual(whole.return);
    expect(rest.run.metrics).toEqual(whole.run.metrics);
  });

  it("is loaded with a custom environment passed by the program", async () => {
    const directory = `${folder()}/run`;
    const cannotSave = { ...options, env: () => new Echo(), directory, steps: 512 };
    const trained = await train(cannotSave);
    // Without save() the run has no checkpoint, but its agent is saved, and needs no environment to act.
    const agent = await load(directory);
    for (const seen of [0, 1, 2]) expect(agent.act(seen)).toBe(trained.act(seen));
    await expect(agent.evaluate(2)).rejects.toThrow("trained on Echo-v0, which is not registered");
    const again = await load(directory, { env: () => new Echo() });
    expect((await again.evaluate(8, { seed: 3 })).mean).toBe(trained.return.mean);
    await expect(resume(directory, { env: () => new Echo() })).rejects.toThrow(
      /Continue from its saved agent .*last\.agent/,
    );
  });

  it("saves the statistics of observation normalisation", async () => {
    const directory = `${folder()}/run`;
    const wrappers = ["normaliseObservation", "normaliseReward"];
    const trained = await train({ ...options, env: "Pendulum-v1", wrappers, directory });
    const agent = await load(directory);
    expect((await agent.evaluate(8, { seed: 3 })).mean).toBe(trained.return.mean);
    // Raw observations are normalised, as in an environment.
    const env = (await agent.place()).make(1);
    const player = new PolicyRunner(agent.current, env);
    player.reset(5);
    const raw = [...(innermost(env).observation as Tensor).data];
    const statistics = (env as NormalisedObservation).statistics.mean.slice();
    const [chosen] = (player.act().action as Tensor).data;
    expect(agent.act(raw)).toEqual(Float32Array.of(chosen));
    player.step();
    expect((env as NormalisedObservation).statistics.mean).toEqual(statistics);
  });

  it("takes observations as plain values", async () => {
    const spec = { id: "Box-v0", observation: box([2], -1, 1), action: box([1], -2, 2), maxSteps: 5 };
    class Flat implements Env {
      readonly spec = spec;
      reset = () => ({ observation: [0, 0] });
      step = () => ({ observation: [0, 0], reward: 0, terminated: false, truncated: false });
    }
    const { act } = await train({ ...options, env: () => new Flat(), steps: 256 });
    const [action] = act([0.5, -0.5]) as ArrayLike<number> & Iterable<number>;
    expect(Math.abs(action)).toBeLessThanOrEqual(2);
  });
});
