import { random, setBackend, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { amongSome, redq } from "./redq.ts";
import { continuousContract, endlessWorth, small } from "./testing-continuous.ts";
import { aim, trained } from "./testing-envs.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const quick = { ...small, tau: 0.05, temperatureRate: 1e-2, critics: 4, updates: 2, policyEvery: 2 };

/** Three critics' values of two states. */
const values = tensor([
  [1, 6],
  [2, 5],
  [3, 4],
]);

describe("redq", () => {
  continuousContract("redq", quick, { steps: 1200 });

  it("takes the lowest of a subset of critics, the same for all rows", () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 40; seed++)
      seen.add(String(amongSome(2).next(values, random.key(seed)).toArray()));
    // Of the pairs {1, 2}, {1, 3} and {2, 3}.
    expect([...seen].sort()).toEqual(["1,4", "1,5", "2,4"]);
    expect(amongSome(3).next(values, random.key(1)).toArray()).toEqual([1, 4]);
    const alone = Array.from({ length: 20 }, (_, s) => amongSome(1).next(values, random.key(s)).toArray());
    expect(new Set(alone.map(String))).toEqual(new Set(["1,6", "2,5", "3,4"]));
  });

  it("the actor objective is the mean of all critics", () => {
    expect(amongSome(2).actorObjective(values).toArray()).toEqual([2, 5]);
  });

  it("updates the actor once every few updates", () => {
    const run = trained({ algorithm: redq({ ...quick, policyEvery: 4 }), env: aim(), steps: 300, seed: 1 });
    const { soft, count } = run.process.parts.state as {
      soft: { actor: { optimiser: { step: { item(): number } } } };
      count: { item(): number };
    };
    expect(soft.actor.optimiser.step.item()).toBe(Math.floor(count.item() / 4));
  });

  it("bootstraps from truncated episodes", () => {
    expect(endlessWorth("redq", { ...quick, automatic: false, temperature: 0.001 })).toBeCloseTo(2, 1);
  });

  it("rejects a subset larger than the ensemble", () => {
    const algorithm = redq({ critics: 2, subset: 3 });
    expect(() => trained({ algorithm, env: aim(), steps: 10 })).toThrow(
      "redq: subset is 3, but there are only 2 critics.",
    );
  });
});
