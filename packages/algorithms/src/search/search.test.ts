import { type AlgorithmMaker, box, discrete, Run, type StepEnvironment } from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { make } from "@reins/envs";
import { leaves, setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { ars } from "../ars.ts";
import { cem } from "../cem.ts";
import { cmaEs } from "../cma-es.ts";
import { es } from "../es.ts";
import { aim, endless, score, trained } from "../testing-envs.ts";
import { brightPixel } from "../testing-images.ts";
import { expectExactResume } from "../testing-on-policy.ts";
import type { SearchedWeights } from "./policy.ts";

setBackend("wasm");

const cartPole: StepEnvironment = {
  spec: make("CartPole-v1", { rows: 1 }).spec,
  make: (rows) => make("CartPole-v1", { rows }),
};
const searches: readonly (readonly [string, AlgorithmMaker, object])[] = [
  ["cem", cem, {}],
  ["cma-es", cmaEs, {}],
  ["es", es, {}],
  ["ars", ars, {}],
];

describe.each(searches)("%s", (_, maker, own) => {
  it("balances a pole", () => {
    const run = trained({ algorithm: maker(own), env: cartPole, steps: 100_000, seed: 1 });
    expect(score(run)).toBeGreaterThan(450);
    expect(run.metrics["population/best"]).toBe(500);
    expect(run.metrics["population/spread"]).toBeGreaterThan(0);
  });

  it("learns to name a number, also with hidden layers", () => {
    const noise = "noise" in maker.definition.options ? { noise: 0.01 } : {};
    const options = { episodes: 8, hidden: [4], sigma: 0.3, population: 24, ...noise };
    const run = trained({ algorithm: maker({ ...own, ...options }), env: aim(), steps: 20_000, seed: 1 });
    expect(score(run)).toBeGreaterThan(-0.1);
  });

  it("resumes exactly", () => {
    const small = { ...own, population: 8, episodes: 2, hidden: [4], normalise: true };
    expectExactResume(() => maker(small), cartPole, 20_000);
  });

  it("counts the steps of members' episodes, which end at the horizon", () => {
    const run = new Run({
      algorithm: maker({ ...own, population: 4, episodes: 2, horizon: 2 }),
      env: endless("discrete"),
      steps: 100,
    });
    run.round();
    expect(run.steps).toBe(4 * 2 * 2);
    expect(run.metrics).toMatchObject({ "population/mean": 2, episodes: 8, "return/mean": 2, updates: 1 });
  });

  it("rejects members that cannot be compared", () => {
    const begin = (options: object, spec: object = {}) =>
      new Run({
        algorithm: maker({ ...own, ...options }),
        env: { ...cartPole, spec: { ...cartPole.spec, ...spec } },
        steps: 100,
      });
    expect(() => begin({ population: 1 })).toThrow(/population is 1/);
    expect(() => begin({}, { rewards: ["near", "far"] })).toThrow("is a vector (near, far)");
    const agents = { names: ["a", "b"], order: "parallel" };
    expect(() => begin({}, { agents })).toThrow("has several agents, and a member plays alone");
  });
});

it("mirrored members come in pairs", () => {
  const begin = () => new Run({ algorithm: es({ population: 7 }), env: cartPole, steps: 100 });
  expect(begin).toThrow("es: population is 7, but members come in mirrored pairs. Use an even number.");
});

it("members play shared or separate episodes, and constant features are not scaled", () => {
  const seen = box([3], -10, 10);
  const starts: number[] = [];
  const place: StepEnvironment = {
    spec: { id: "Seeds-v0", observation: seen, action: discrete(2), maxSteps: 1 },
    make: (rows) =>
      vectorise(
        () => ({
          spec: place.spec,
          reset({ seed } = {}) {
            if (seed !== undefined) starts.push(seed);
            return { observation: Float32Array.of(4, 0, (seed ?? 0) % 7) };
          },
          step: () => ({
            observation: Float32Array.of(4, 0, 1),
            reward: 0,
            terminated: true,
            truncated: false,
          }),
        }),
        rows,
      ),
  };
  const seeds = (common: boolean) => {
    const run = new Run({ algorithm: ars({ common, population: 4, episodes: 3 }), env: place, steps: 100 });
    starts.length = 0;
    run.round();
    run.round();
    const { scale } = run.process.acting!.weights as SearchedWeights;
    expect([...scale!.deviation.data.slice(0, 2)]).toEqual([1, 1]);
    return new Set(starts).size;
  };
  expect(seeds(true)).toBe(6);
  expect(seeds(false)).toBe(24);
});

it("features of trainable encoders are not normalised, others are", () => {
  const shapes = (env: StepEnvironment) => {
    const run = new Run({ algorithm: ars(), env, steps: 100 });
    return leaves((run.process.acting!.weights as SearchedWeights).scale).map((t) => t.shape.join());
  };
  expect(shapes(cartPole)).toEqual(["4", "4"]);
  expect(shapes(brightPixel("discrete"))).toEqual([]);
});
