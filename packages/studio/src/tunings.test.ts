import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { asking, folder } from "./testing.ts";
import { writeTuning } from "./testing-tunings.ts";
import type { TuningDetail, TuningListing } from "./tuning-wire.ts";

it("returns the trials of a search, and the best fully trained one", async () => {
  const tunings = folder();
  writeTuning(tunings, "ppo-CartPole-v1");
  const trainCommand = (setup: object, settings: object) => `train ${JSON.stringify([setup, settings])}`;
  const { json } = asking(folder(), { tunings, trainCommand });
  const { tunings: all } = await json<TuningListing>("/api/tunings");
  expect(all).toEqual([
    {
      ...{ name: "ppo-CartPole-v1", algorithm: "ppo", env: "CartPole-v1", method: "asha", finished: true },
      ...{ steps: 900, trials: 4, tried: 4, best: 450 },
    },
  ]);
  const found = await json<TuningDetail>("/api/tunings/ppo-CartPole-v1");
  expect(found.space[0]).toEqual({ name: "learningRate", low: 1e-4, high: 1e-2, scale: "log" });
  // Trial 1 was better after 300 steps, trial 2 in the end.
  expect([found.bestTrial, found.results[2].results.map(({ score }) => score)]).toEqual([2, [200, 450]]);
  expect(found.results[3].results[0]).toMatchObject({ score: null, failed: "the loss is NaN" });
  expect(found.results[0].results[0].command).toContain('"learningRate":0.0001');
  // 450 to 490, and 480 is the highest return.
  expect(found.test?.best.interval).toEqual([450, 480]);
  expect([found.command, found.test?.best.mean]).toEqual([
    "reins train ppo CartPole-v1 --learning-rate 0.01",
    470,
  ]);
});

it("has no command before the search ends, and skips incomplete lines", async () => {
  const tunings = folder();
  const path = writeTuning(tunings, "a", { finished: false });
  writeFileSync(join(path, "journal.jsonl"), '{"stamp":"x","ta\n7\n{"task":{},"result":{}}\n', { flag: "a" });
  const { json } = asking(folder(), { tunings });
  const found = await json<TuningDetail>("/api/tunings/a");
  expect([found.finished, found.command, found.bestTrial]).toEqual([false, undefined, 2]);
});

it("reads no search outside of the folder", async () => {
  const root = folder();
  const tunings = join(root, "tuning");
  mkdirSync(join(tunings, "sly"), { recursive: true });
  const path = writeTuning(root, "secret");
  symlinkSync(path, join(tunings, "linked"));
  symlinkSync(join(path, "journal.jsonl"), join(tunings, "sly", "journal.jsonl"));
  const { ask, json } = asking(folder(), { tunings });
  expect((await json<TuningListing>("/api/tunings")).tunings).toEqual([]);
  for (const name of ["..%2Fsecret", "linked", "sly", "nothing"])
    expect((await ask(`/api/tunings/${name}`)).status, name).toBeGreaterThanOrEqual(400);
});
