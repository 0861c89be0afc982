import { random } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { createLearner, resolution } from "./learner.ts";
import { spirals } from "./spirals.ts";
import { type Progress, train } from "./train.ts";

const losses = (seed: number, count: number) => {
  const learner = createLearner({ seed, hidden: [16], steps: 100, backend: "wasm" });
  return Array.from({ length: count }, () => learner.update());
};

describe("learner", () => {
  it("learns", async () => {
    const learner = createLearner({ seed: 1, hidden: [64, 64], steps: 2000, backend: "wasm" });
    const before = learner.accuracy();
    const reports: Progress[] = [];
    const { progress } = await train(learner, {
      steps: 2000,
      reports: 10,
      interval: 0,
      report: (p) => reports.push({ ...p, losses: [...p.losses] }),
    });
    expect(reports.map((p) => p.step)).toEqual([200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000]);
    expect(reports.every((p, i) => p.losses.length === i + 1 && p.rate > 0)).toBe(true);
    expect(progress.losses[9]).toBeLessThan(0.75 * progress.losses[0]);
    expect(progress.accuracy).toBeGreaterThan(Math.max(0.75, before));
  });

  it("does the same again for the same seed, and something else for another", () => {
    const first = losses(3, 20);
    expect(losses(3, 20)).toEqual(first);
    expect(losses(4, 20)).not.toEqual(first);
  });

  it("draws a surface of probabilities", () => {
    const surface = createLearner({ seed: 1, hidden: [8], steps: 10, backend: "wasm" }).surface();
    expect(surface.length).toBe(resolution ** 2);
    expect(surface.every((p) => p > 0 && p < 1)).toBe(true);
  });

  it("reports at most once a step", async () => {
    const learner = createLearner({ seed: 1, hidden: [4], steps: 3, backend: "reference" });
    let reports = 0;
    await train(learner, { steps: 3, reports: 20, interval: 0, report: () => reports++ });
    expect(reports).toBe(3);
  });
});

describe("spirals", () => {
  it("are two halves near the unit circle's inside", () => {
    const { points, labels } = spirals(random.key(5), 200);
    expect(labels.data.filter((l) => l === 1).length).toBe(100);
    for (let i = 0; i < 200; i++)
      expect(Math.hypot(points.data[2 * i], points.data[2 * i + 1])).toBeLessThan(1.12);
  });
});
