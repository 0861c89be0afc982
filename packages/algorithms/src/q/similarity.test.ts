import { Run } from "@reins/core";
import { setBackend, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { td3, td3Parts } from "../td3.ts";
import { endless, fingerprint } from "../testing-envs.ts";
import type { LinearFeatures } from "./critics.ts";
import { bellmanSimilarity, similarity } from "./similarity.ts";

setBackend("wasm");

/** One critic and one row. */
const features = (
  now: number[],
  next: number[],
  head = [1, 0],
): { now: LinearFeatures; next: LinearFeatures } => {
  const [w, row] = [tensor([head]), (x: number[]) => tensor([[x]])];
  return { now: { features: row(now), head: w }, next: { features: row(next), head: w } };
};
const priceOf = (seen: ReturnType<typeof features>, reward: number, discount: number) =>
  bellmanSimilarity(2)({ ...seen, reward: tensor([reward]), discount: tensor([discount]) }).item();

describe("bellmanSimilarity", () => {
  it("penalises the excess over the bound, and nothing below it", () => {
    // Parallel features of norm 1: the bound is (1 + 0.25 - r² / ‖w‖²) / (2 · 0.5).
    const same = features([1, 0], [1, 0]);
    expect(priceOf(same, 1, 0.5)).toBeCloseTo(2 * (1 - 0.25), 5);
    expect(priceOf(same, 0.4, 0.5)).toBe(0);
    expect(priceOf(features([1, 0], [1, 0], [2, 0]), 1, 0.5)).toBeCloseTo(0, 5);
  });

  it("holds wherever the Bellman equation does", () => {
    // w·φ = 0.7 = r + 0.9 w·φ' with r = 0.7 - 0.9 · 0.3.
    const seen = features([0.7, 0.2], [0.3, -0.4]);
    expect(priceOf(seen, 0.7 - 0.27, 0.9)).toBe(0);
    expect(similarity(seen.now.features, seen.next.features).item()).toBeLessThan(1);
  });

  it("penalises no terminal transition", () => {
    expect(priceOf(features([1, 0], [1, 0]), 3, 0)).toBe(0);
  });
});

it("TD3 with a representation penalty trains differently, and resumes exactly", () => {
  const priced = td3.with("priced", {
    parts: (_, o, context) => td3Parts(o, context, "priced", { penalty: bellmanSimilarity(0.1) }),
  });
  const options = { hidden: [16, 16], batch: 32, learningStarts: 100, learningRate: 5e-3, criticRate: 1e-2 };
  const begun = (algorithm: typeof td3) =>
    new Run({
      algorithm: algorithm({ ...options, capacity: 1000, gamma: 0.5, tau: 0.05 }),
      env: endless("box"),
      steps: 1500,
      seed: 1,
    });
  const [run, plain] = [begun(priced), begun(td3)];
  run.advance(768);
  const copy = run.fork();
  for (const one of [run, copy, plain]) one.advance();
  expect(fingerprint(copy)).toEqual(fingerprint(run));
  expect(fingerprint(plain)).not.toEqual(fingerprint(run));
});
