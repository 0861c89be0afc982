import { Run, type RunOptions } from "@reins/core";
import { asEnv } from "@reins/core/loops";
import { random, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { classifier } from "./classifier.ts";
import { clusters, examplesSource } from "./clusters.ts";
import { drop } from "./dropout.ts";

const data = clusters({
  seed: 1,
  features: 4,
  classes: 3,
  clusters: 2,
  spread: 0.3,
  wrong: 0,
  train: 64,
  held: { validation: 200 },
});
const options = (changes: Parameters<typeof classifier>[0] = {}): RunOptions => ({
  algorithm: classifier({ hidden: 16, learningRate: 1e-2, ...changes }),
  env: examplesSource(data, 3),
  data,
  steps: 200,
  seed: 1,
});

describe("classifier", () => {
  it("learns labels, and resumes exactly", () => {
    const run = new Run(options());
    run.advance(100);
    const saved = run.save();
    run.advance();
    expect(run.steps).toBe(200);
    // 0.885 to 0.92 over twenty seeds; a third by chance.
    expect(run.metrics["accuracy/validation"]).toBeGreaterThan(0.85);
    const again = new Run(options());
    again.restore(saved);
    again.advance();
    expect({ ...again.metrics }).toEqual({ ...run.metrics });
  });

  it("settings change training: a run as an environment that always starts at the same point", () => {
    const base = new Run(options());
    base.advance(100);
    const env = asEnv({
      run: () => base.options,
      from: base.save(),
      settings: { learningRate: [1e-6, 1e-1] },
      observe: ["accuracy/validation"],
      stride: 50,
      reward: "accuracy/validation",
    });
    const play = (action: number) => {
      const first = env.reset().observation;
      expect(first[0]).toBe(0.5);
      const rewards = [env.step([action]), env.step([action])].map((s) => s.reward as number);
      expect(env.run!.finished).toBe(true);
      return rewards[0] + rewards[1] + first[1];
    };
    expect(play(-1)).toBeCloseTo(base.metrics["accuracy/validation"], 2);
    const high = play(0.5);
    expect(high).not.toBe(play(-1));
    expect(play(0.5)).toBe(high);
  });
});

it("drop zeroes a share of the numbers and keeps the mean", () => {
  const dropped = drop(tensor(new Float32Array(10_000).fill(1)), 0.3, random.key(0));
  expect(dropped.eq(0).cast("f32").mean().item()).toBeCloseTo(0.3, 1);
  expect(dropped.mean().item()).toBeCloseTo(1, 1);
});

it("clusters are reproducible by seed, and some labels may be wrong", () => {
  const make = (wrong: number) =>
    clusters({ seed: 5, features: 2, classes: 4, clusters: 1, spread: 0, wrong, train: 400, held: {} }).train;
  expect([...make(0).x.data]).toEqual([...make(0).x.data]);
  // Without spread an example equals its cluster's mean, so examples of a class are equal.
  const kinds = (wrong: number) => {
    const { x, y } = make(wrong);
    return new Set([...y.data].map((label, i) => `${label} ${x.data[2 * i]}`)).size;
  };
  expect(kinds(0)).toBe(4);
  expect(kinds(0.5)).toBe(16);
});
