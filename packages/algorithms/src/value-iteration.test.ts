import { Run } from "@reins/core";
import { evaluate } from "@reins/core/evaluations";
import { tabularModel } from "@reins/envs";
import type { Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { exactReturn, source } from "./tabular/testing.ts";
import { planner } from "./value-iteration.ts";

/** A run to its end. */
function planned(id: string, options: Parameters<typeof planner>[0]) {
  const run = new Run({ algorithm: planner(options), env: source(id), steps: 1e6, data: tabularModel(id) });
  run.advance();
  const { action } = run.process.acting!.weights as { action: Tensor };
  return { run, policy: Int32Array.from(action.data) };
}

describe.each(["value", "policy"] as const)("value-iteration, method %s", (method) => {
  it.each([
    ["FrozenLake-v1", 0.99],
    ["FrozenLake8x8-v1", 0.995],
    ["Taxi-v4", 0.99],
    ["CliffWalking-v1", 1],
    ["RiverSwim-v0", 0.95],
  ])("%s: the plan is optimal, and the run stops when converged", (id, gamma) => {
    const { run, policy } = planned(id, { method, gamma });
    expect(run.finished).toBe(true);
    expect(run.steps).toBeLessThan(1e6);
    const model = tabularModel(id);
    expect(exactReturn(model, { gamma, policy })).toBeCloseTo(exactReturn(model, { gamma }), 8);
  });

  it("can be played", () => {
    const { run } = planned("CliffWalking-v1", { method, gamma: 1 });
    expect(evaluate(run, undefined, { episodes: 3 }).mean).toBeCloseTo(-13, 10);
  });

  it("resumes exactly", () => {
    const id = "FrozenLake-v1";
    const algorithm = planner({ method, sweeps: 3 });
    const options = { algorithm, env: source(id), steps: 40, data: tabularModel(id) };
    const run = new Run(options);
    run.advance(20);
    const fork = run.fork();
    expect([fork.advance(), fork.save()]).toEqual([run.advance(), run.save()]);
  });
});

describe("a model", () => {
  const coin = [[[{ probability: 1, state: 0, reward: 1, terminated: true }]]];

  it("may be an option, the run's data, or the environment's", () => {
    const model = tabularModel("FrozenLake-v1");
    const plain = source("FrozenLake-v1");
    const hidden = {
      ...plain,
      make: (rows: number) => Object.assign(plain.make(rows), { model: undefined }),
    };
    const shown = { ...plain, make: (rows: number) => Object.assign(plain.make(rows), { model }) };
    const values = [
      new Run({ algorithm: planner({ model }), env: hidden, steps: 1e6 }),
      new Run({ algorithm: planner(), env: hidden, steps: 1e6, data: model }),
      new Run({ algorithm: planner(), env: shown, steps: 1e6 }),
    ].map((run) => run.advance()["value/mean"]);
    expect(new Set(values).size).toBe(1);
    expect(() => new Run({ algorithm: planner(), env: hidden, steps: 10 })).toThrow(
      "value-iteration: it needs an exact model, and FrozenLake-v1 has none. Pass data:",
    );
  });

  it("must be that of the environment", () => {
    const data = { states: 1, actions: 1, transition: coin };
    expect(() => new Run({ algorithm: planner(), env: source("FrozenLake-v1"), steps: 10, data })).toThrow(
      "the model has 1 states and 1 actions, but FrozenLake-v1 has 16 and 4.",
    );
  });
});
