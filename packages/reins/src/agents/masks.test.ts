import { ppo } from "@reins/algorithms";
import { discrete, type Env, multiDiscrete } from "@reins/core";
import { expect, it, vi } from "vitest";
import { exportModule } from "../export/export-module.ts";
import { sourceOfMaker } from "../places/source.ts";
import { train } from "../train.ts";
import { loadAgent as loadSmall } from "./eager.ts";
import { loadAgent } from "./load-agent.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

/** Two steps; the third action, the only one with a reward, is masked in the first. */
function late(): Env {
  let time = 0;
  return {
    spec: { id: "Late-v0", observation: discrete(2), action: discrete(3) },
    reset() {
      time = 0;
      return { observation: time };
    },
    step(action) {
      time++;
      return {
        observation: Math.min(time, 1),
        reward: action === 2 ? 1 : 0,
        terminated: time === 2,
        truncated: false,
      };
    },
    mask: () => [true, true, time > 0],
    save: () => time,
    restore(saved) {
      time = saved as number;
    },
  };
}

const options = {
  algorithm: ppo({ envs: 4, steps: 32, hidden: [8] }),
  env: late,
  steps: 128,
  evalEpisodes: 4,
};

it("an agent trained with masks takes them as arrays or as { mask }, of numbers or booleans", async () => {
  const trained = await train(options);
  const bytes = await trained.save();
  for (const agent of [trained, await loadAgent(bytes), await loadSmall(bytes)]) {
    expect(agent.masked).toBe(true);
    for (const mask of [[0, 1, 0], [false, true, false], Uint8Array.of(0, 1, 0)])
      expect([agent.act(0, mask), agent.act(0, { mask })]).toEqual([1, 1]);
    for (const nothing of [undefined, {}, { mask: undefined }])
      expect(() => agent.act(0, nothing)).toThrow(
        "act: Late-v0 masks some actions. Pass the mask of allowed actions: act(observation, env.mask()).",
      );
    expect(() => agent.act(0, { mask: [1] })).toThrow("the mask has 1 entries; it must have 3");
    expect(() => agent.act(0, [0, 0, 0])).toThrow("act: the mask allows no action.");
  }
  expect((await trained.evaluate(4)).count).toBe(4);
});

it("refuses masks that allow no option of one of several choices", async () => {
  const pair = (): Env => ({
    spec: { id: "Pair-v0", observation: discrete(2), action: multiDiscrete([2, 3]), maxSteps: 2 },
    reset: () => ({ observation: 0 }),
    step: () => ({ observation: 1, reward: 0, terminated: false, truncated: false }),
    mask: () => [1, 1, 1, 1, 0],
  });
  const trained = await train({ ...options, env: pair, evalEpisodes: 0 });
  const none = [0, 1, 0, 0, 0];
  for (const agent of [trained, await loadSmall(await trained.save())]) {
    expect(() => agent.act(0, none)).toThrow("act: the mask allows no option of choice 1.");
    expect(Array.from(agent.act(0, [0, 1, 0, 0, 1]) as Int32Array)).toEqual([1, 2]);
  }
  const { code } = await exportModule(trained, { mask: true });
  const { act } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(() => act(0, none)).toThrow("act: the mask allows no option of choice 1.");
  expect(Array.from(act(0, [0, 1, 0, 0, 1]))).toEqual([1, 2]);
});

it("warns when an agent trained with masks is exported without the mask option", async () => {
  const agent = await train({ ...options, evalEpisodes: 0 });
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  for (const mask of [true, false]) await exportModule(agent, { mask });
  expect(warn).not.toHaveBeenCalled();
  await exportModule(agent);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining("Set `mask: true`"));
  warn.mockRestore();
});

it("needs masks if its environments have them, and not otherwise", async () => {
  const { spec, make } = sourceOfMaker(late);
  const inPlace = await train({ ...options, env: { spec, make }, evalEpisodes: 0 });
  expect(inPlace.masked).toBe(true);
  expect(() => inPlace.act(0)).toThrow("Late-v0 masks");
  const open = await train({ ...options, env: () => ({ ...late(), mask: undefined }), evalEpisodes: 0 });
  expect([open.masked, (await loadAgent(await open.save())).masked]).toEqual([false, false]);
  expect([0, 1, 2]).toContain(open.act(0));
  expect(open.act(0, [1, 0, 0])).toBe(0);
});

it("keeps its memory when calls with and without a mask alternate", async () => {
  /** Pays for the observation before the last one, so that actions depend on memory. */
  const echo = (): Env => {
    let [noise, before, now] = [1, 0, 0];
    const look = () => {
      noise = (noise * 48271) % 2147483647;
      [before, now] = [now, noise % 3];
      return { observation: now };
    };
    return {
      spec: { id: "Echo-v0", observation: discrete(3), action: discrete(3), maxSteps: 16 },
      reset: look,
      step: (action) => {
        const reward = action === before ? 1 : 0;
        return { ...look(), reward, terminated: false, truncated: false };
      },
    };
  };
  const algorithm = ppo({ envs: 8, steps: 32, hidden: [8], memory: "gru", learningRate: 0.01 });
  const trained = await train({ ...options, algorithm, env: echo, steps: 8192, evalEpisodes: 0 });
  const bytes = await trained.save();
  for (const make of [async () => trained, () => loadAgent(bytes), () => loadSmall(bytes)]) {
    const agent = await make();
    const seen = Array.from({ length: 24 }, (_, t) => (t * t + (t >> 2)) % 3);
    agent.forget();
    const plain = seen.map((o) => agent.act(o));
    agent.forget();
    expect(seen.map((o, t) => (t % 3 === 1 ? agent.act(o, [1, 1, 1]) : agent.act(o)))).toEqual(plain);
    // The same observation leads to different actions: they do depend on memory.
    expect(new Set(seen.map((o, t) => `${o} ${plain[t]}`)).size).toBeGreaterThan(new Set(seen).size);
  }
});
