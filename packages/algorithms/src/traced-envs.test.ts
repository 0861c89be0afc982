import { Run, type VectorEnv } from "@reins/core";
import { make, source } from "@reins/envs";
import { leaves, setBackend } from "@reins/tensor";
import { expect, it } from "vitest";
import { ppo } from "./ppo.ts";
import { pqn } from "./pqn.ts";

setBackend("wasm");

const small = { envs: 4, steps: 8, hidden: [8], minibatches: 2, epochs: 2 };

/** The same environment without its traced form. */
const stepByStep = (env: VectorEnv): VectorEnv => Object.create(env, { traced: { value: undefined } });

it.each([
  ["Pendulum-v1", ppo],
  ["MountainCarContinuous-v0", ppo],
  ["Acrobot-v1", pqn],
  ["MinAtar/Breakout-v1", ppo],
  ["MinAtar/Seaquest-v1", pqn],
  ["Taxi-v4", ppo],
  ["MiniGrid-DoorKey-5x5-v0", ppo],
] as const)("%s collects and learns in one call as it does step by step", (id, algorithm) => {
  const after = (whole: boolean) => {
    const options = { traced: true, maxSteps: 20 };
    const rowsOf = (rows: number) => make(id, { ...options, rows });
    const env = {
      spec: rowsOf(1).spec,
      make: (rows: number) => (whole ? rowsOf(rows) : stepByStep(rowsOf(rows))),
    };
    const run = new Run({ algorithm: algorithm(small), env, steps: 1e6, seed: 2 });
    expect(run.process.whole !== undefined).toBe(whole);
    // Beyond the time limit, so that rows begin anew.
    for (let i = 0; i < 4; i++) run.round();
    return [{ ...run.metrics }, leaves(run.process.acting!.weights).map((t) => [...t.data])];
  };
  expect(after(true)).toEqual(after(false));
});

/** The mean return of the last rounds. */
function trained(id: string, options: object, steps: number): number {
  const run = new Run({ algorithm: ppo(options), env: source(id, { traced: true }), steps, seed: 1 });
  run.advance();
  return run.metrics["return/mean"];
}

it("ppo solves Acrobot in tensor operations", { tags: ["slow"] }, () => {
  const options = { envs: 16, steps: 64, hidden: [64], learningRate: 3e-3, lambda: 0.94, entropyWeight: 0 };
  expect(trained("Acrobot-v1", options, 100_000)).toBeGreaterThan(-110);
});
