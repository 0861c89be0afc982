import { random, setBackend, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { continuousContract, endlessWorth, small } from "./testing-continuous.ts";
import { aim, trained } from "./testing-envs.ts";
import { tqc, truncated } from "./tqc.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const quick = { ...small, tau: 0.05, temperatureRate: 1e-2, critics: 2, atoms: 5, droppedAtoms: 1 };
const key = random.key(1);

/** Two critics, two states, three atoms each. */
const values = tensor([
  [
    [5, 1, 3],
    [0, 0, 9],
  ],
  [
    [4, 2, 6],
    [1, 8, 7],
  ],
]);

describe("tqc", () => {
  continuousContract("tqc", quick);

  it("drops the highest of all atoms, `dropped` per critic", () => {
    expect(truncated(1).next(values, key).toArray()).toEqual([
      [1, 2, 3, 4],
      [0, 0, 1, 7],
    ]);
    expect(truncated(2).next(values, key).toArray()).toEqual([
      [1, 2],
      [0, 0],
    ]);
    expect(truncated(0).next(values, key).shape).toEqual([2, 6]);
  });

  it("has lower targets the more it drops", () => {
    const mean = (dropped: number) => truncated(dropped).next(values, key).mean().item();
    expect(mean(0)).toBeGreaterThan(mean(1));
    expect(mean(1)).toBeGreaterThan(mean(2));
  });

  it("the actor objective is the mean of all atoms", () => {
    const actorObjective = truncated(1).actorObjective(values);
    expect(actorObjective.toArray()).toEqual([expect.closeTo(21 / 6, 5), expect.closeTo(25 / 6, 5)]);
  });

  it("measures errors by quantile regression", () => {
    // One critic with quantiles 0.25 and 0.75 at 0 and 1, two targets, 0.5 and 3.
    const predicted = tensor([[[0, 1]]]);
    const target = tensor([[0.5, 3]]);
    // Huber's loss: of 0.5 and 3 for the first atom, of -0.5 and 2 for the second; weighted by 1/4 and 3/4, and by
    // 1/4 and 3/4.
    const first = (0.25 * 0.125 + 0.25 * 2.5) / 2;
    const second = (0.25 * 0.125 + 0.75 * 1.5) / 2;
    expect(truncated(0).error(predicted, target).toArray()).toEqual([
      [expect.closeTo((first + second) / 2, 6)],
    ]);
  });

  it("bootstraps from truncated episodes", () => {
    expect(endlessWorth("tqc", { ...quick, automatic: false, temperature: 0.001 })).toBeCloseTo(2, 1);
  });

  it("keeps at least one atom", () => {
    expect(() => trained({ algorithm: tqc({ atoms: 3, droppedAtoms: 3 }), env: aim(), steps: 10 })).toThrow(
      "tqc: droppedAtoms is 3, of 3 atoms per critic. Keep at least one atom.",
    );
  });
});
