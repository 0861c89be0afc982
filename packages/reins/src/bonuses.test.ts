import { ppo } from "@reins/algorithms";
import { expect, test, vi } from "vitest";
import { folder } from "./cli/testing.ts";
import { resume } from "./load.ts";
import { train } from "./train.ts";

// On WebAssembly, so that no C compiler runs.
vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

/** RiverSwim with ten states: a small reward at the start, a large one at the other end, against the current. */
const swim = (wrappers: readonly string[], steps = 60_000) => ({
  algorithm: ppo({ envs: 8, steps: 128, hidden: [], learningRate: 3e-3 }),
  env: "RiverSwim-v0",
  envOptions: { length: 10 },
  evalEpisodes: 20,
  seed: 0,
  steps,
  wrappers,
});

test("ppo finds the large reward only with an exploration bonus", async () => {
  const plain = await train(swim([]));
  const curious = await train(swim(["counts"]));
  // 0.005 in each of 200 steps. Evaluations exclude the bonus.
  expect(plain.return.mean).toBeLessThan(1.01);
  expect(curious.return.mean).toBeGreaterThan(30);
});

test("a run with a bonus resumes exactly, with the options after its name", async () => {
  const options = swim(["rnd:weight=0.5:every=4:decay=50000"], 6144);
  const whole = await train(options);
  const directory = `${folder()}/run`;
  let looks = 0;
  const half = await train({ ...options, directory, progressEvery: 0, onProgress: () => ++looks < 3 });
  expect(half.ended).toBe("stopped");
  const rest = await resume(directory, { evalEpisodes: 20 });
  expect(rest.steps).toBe(6144);
  expect(rest.run.metrics).toEqual(whole.run.metrics);
  const plain = await train(swim([], 6144));
  expect(rest.run.metrics).not.toEqual(plain.run.metrics);
});

test.each([
  ["rnd:wight=1", "there is no option wight"],
  ["rnd:weight=much", "weight is much; it must be a number"],
  ["clipReward:high=1", "clipReward takes no options"],
  ["normaliseReward,normaliseReward", "normaliseReward is listed twice"],
])("%s is refused", async (word, message) => {
  await expect(train(swim(word.split(",")))).rejects.toThrow(message);
});
