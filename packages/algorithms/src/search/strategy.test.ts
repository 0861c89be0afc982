import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import { randomSearch } from "../ars.ts";
import { crossEntropy } from "../cem.ts";
import { evolutionStrategy } from "../es.ts";
import { covarianceAdaptation } from "./covariance-adaptation.ts";
import { symmetricEigen } from "./eigen.ts";
import { Mirrored } from "./mirrored-sampling.ts";
import { centredRanks, fromBest, type Strategy } from "./strategy.ts";

type Cost = (x: Float64Array) => number;

const sphere: Cost = (x) => x.reduce((sum, v) => sum + (v - 1) ** 2, 0);
const ellipsoid: Cost = (x) => x.reduce((sum, v, i) => sum + 10 ** ((6 * i) / (x.length - 1)) * v * v, 0);
const rosenbrock: Cost = (x) =>
  x.slice(1).reduce((sum, v, i) => sum + 100 * (v - x[i] ** 2) ** 2 + (1 - x[i]) ** 2, 0);

/** The cost of the current estimate after some generations. */
function searched(strategy: Strategy, cost: Cost, population: number, generations: number): number {
  const members = Array.from({ length: population }, () => new Float64Array(strategy.centre.length));
  for (let g = 0; g < generations; g++) {
    strategy.ask(members);
    strategy.tell(Float64Array.from(members, (member) => -cost(member)));
  }
  return cost(strategy.centre);
}

const fixed = (value: number) => ({ value });
const start = (size: number, value = 0) => new Float64Array(size).fill(value);

it("ranks are centred for any returns, and ties share their rank", () => {
  expect([...centredRanks(Float64Array.of(3, -1e9, 5, 4, 1e9))]).toEqual([-0.25, -0.5, 0.25, 0, 0.5]);
  expect([...centredRanks(Float64Array.of(2, 1, 2))]).toEqual([0.25, -0.5, 0.25]);
  expect([...centredRanks(Float64Array.of(7, 7))]).toEqual([0, 0]);
  expect(fromBest(Float64Array.of(1, 3, 3, 2))).toEqual([1, 2, 3, 0]);
});

it("mirrored members lie on both sides of the centre", () => {
  const centre = Float64Array.of(1, -2, 3);
  const members = Array.from({ length: 4 }, () => new Float64Array(3));
  const mirrored = new Mirrored(4, 3, defaultRng(1));
  mirrored.ask(centre, 0.5, members);
  expect([...mirrored.directions[0]]).not.toEqual([...mirrored.directions[1]]);
  for (let i = 0; i < 2; i++)
    for (let k = 0; k < 3; k++) {
      expect(members[2 * i][k] - centre[k]).toBeCloseTo(0.5 * mirrored.directions[i][k], 12);
      expect(members[2 * i][k] + members[2 * i + 1][k]).toBeCloseTo(2 * centre[k], 12);
    }
});

describe("by hand", () => {
  it("cem fits a distribution to the best members and adds its noise", () => {
    const cem = crossEntropy(start(1), { elite: fixed(0.5), noise: fixed(0.25), sigma: 2 }, defaultRng(3));
    const members = Array.from({ length: 4 }, () => new Float64Array(1));
    cem.ask(members);
    const [a, b] = [members[1][0], members[3][0]];
    cem.tell(Float64Array.of(0, 5, 1, 9));
    expect(cem.centre[0]).toBeCloseTo((a + b) / 2, 12);
    expect(cem.spread).toBeCloseTo(Math.sqrt(((a - b) / 2) ** 2 + 0.25), 12);
  });

  it("ars follows the best directions, in units of the standard deviation of their returns", () => {
    const o = { learningRate: fixed(0.1), sigma: fixed(0.5), elite: fixed(0.5), population: 4 };
    const ars = randomSearch(start(2), o, defaultRng(3));
    const members = Array.from({ length: 4 }, () => new Float64Array(2));
    ars.ask(members);
    const direction = members[2].map((x) => x / 0.5);
    // Of two directions the second has the better member; its returns, 9 and 3, have standard deviation 3.
    ars.tell(Float64Array.of(5, 4, 9, 3));
    for (let k = 0; k < 2; k++) expect(ars.centre[k]).toBeCloseTo((0.1 / 3) * 6 * direction[k], 12);
    const before = [...ars.centre];
    ars.ask(members);
    ars.tell(Float64Array.of(1, 1, 1, 1));
    expect([...ars.centre]).toEqual(before);
  });

  it("the first step of es has the length of the learning rate, towards the better side, for any returns", () => {
    const o = { learningRate: fixed(0.1), sigma: fixed(0.5), weightDecay: fixed(0), population: 2 };
    for (const best of [1, 1e6]) {
      const es = evolutionStrategy(start(3), o, defaultRng(3));
      const members = Array.from({ length: 2 }, () => new Float64Array(3));
      es.ask(members);
      es.tell(Float64Array.of(best, 0));
      es.centre.forEach((x, k) => void expect(x).toBeCloseTo(0.1 * Math.sign(members[0][k]), 6));
    }
  });

  it("eigenvalues and eigenvectors of a small matrix", () => {
    const axes = new Float64Array(4);
    const values = symmetricEigen(Float64Array.of(2, 1, 1, 2), axes, 2);
    expect([...values].sort()).toEqual([expect.closeTo(1, 12), expect.closeTo(3, 12)]);
    const at = values[0] > 2 ? 0 : 1;
    expect(axes[at] / axes[2 + at]).toBeCloseTo(1, 12);
  });
});

describe("on functions with a known optimum", () => {
  it("cem, es and ars descend a sphere of ten dimensions", () => {
    const cem = { elite: fixed(0.3), noise: fixed(0), sigma: 1 };
    expect(searched(crossEntropy(start(10), cem, defaultRng(1)), sphere, 100, 60)).toBeLessThan(1e-4);
    const step = { learningRate: fixed(0.05), sigma: fixed(0.1), population: 20 };
    const es = { ...step, weightDecay: fixed(0) };
    expect(searched(evolutionStrategy(start(10), es, defaultRng(1)), sphere, 20, 200)).toBeLessThan(1e-2);
    const ars = { ...step, elite: fixed(0.5) };
    expect(searched(randomSearch(start(10), ars, defaultRng(1)), sphere, 20, 200)).toBeLessThan(1e-2);
  });

  it("weight decay pulls es from the optimum towards 0", () => {
    const o = { learningRate: fixed(0.05), sigma: fixed(0.1), population: 20 };
    const length = (weightDecay: number) => {
      const es = evolutionStrategy(start(5), { ...o, weightDecay: fixed(weightDecay) }, defaultRng(1));
      searched(es, sphere, 20, 200);
      return Math.sqrt(es.centre.reduce((sum, x) => sum + x * x, 0));
    };
    expect(length(3)).toBeLessThan(0.9 * length(0));
  });

  it("cma-es minimises a sphere, an ellipsoid of condition a million and Rosenbrock's valley", () => {
    const o = { sigma: 0.5, population: 10, full: 100 };
    const down = (cost: Cost, size: number, generations: number, options = o) =>
      searched(
        covarianceAdaptation(start(size, 0.3), options, defaultRng(2)),
        cost,
        options.population,
        generations,
      );
    expect(down(sphere, 10, 200)).toBeLessThan(1e-10);
    expect(down(ellipsoid, 10, 600)).toBeLessThan(1e-10);
    expect(down(rosenbrock, 6, 600)).toBeLessThan(1e-10);
    // Axis-aligned functions need no correlations.
    const separable = { ...o, full: 0 };
    expect(down(ellipsoid, 10, 500, separable)).toBeLessThan(1e-10);
    expect(down(rosenbrock, 6, 600, separable)).toBeGreaterThan(down(rosenbrock, 6, 600));
  });
});
