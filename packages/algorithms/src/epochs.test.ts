import { Run } from "@reins/core";
import { BatchedRuns } from "@reins/core/loops";
import * as signals from "@reins/core/signals";
import { make } from "@reins/envs";
import { leaves, setBackend } from "@reins/tensor";
import { expect, it } from "vitest";
import { ppo } from "./ppo.ts";
import { corridor } from "./testing-envs.ts";
import { expectExactResume } from "./testing-on-policy.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const small = { envs: 4, steps: 8, minibatches: 2, hidden: [8], learningRate: 1e-2 };
const rounds = (run: Run, count: number) => run.advance(run.steps + count * 32);
const weightsOf = (run: Run) => leaves(run.process.acting!.weights).flatMap((t) => [...t.data]);

it("makes as many epochs as the live setting says", () => {
  const start = (epochs: number) =>
    new Run({ algorithm: ppo({ ...small, epochs }), env: corridor(), steps: 1e6, seed: 3 });
  const [two, five] = [start(2), start(5)];
  for (const run of [two, five]) rounds(run, 1);
  expect(weightsOf(two)).not.toEqual(weightsOf(five));
  const changed = start(2);
  changed.set("epochs", 5);
  rounds(changed, 1);
  expect(weightsOf(changed)).toEqual(weightsOf(five));
  expect(changed.process.inspect!().passes).toBe(10);
  expect(() => changed.set("epochs", 2.5)).toThrow("whole number");
});

it("is driven by schedules and bandits, and resumes exactly", () => {
  const scheduled = new Run({
    algorithm: ppo({ ...small, epochs: signals.linear(4, 1) }),
    env: corridor(),
    steps: 32 * 4,
    seed: 1,
  });
  const passes = [0, 1, 2, 3].map(() => {
    const { passes } = scheduled.process.inspect!();
    rounds(scheduled, 1);
    return passes! / small.minibatches;
  });
  expect(passes).toEqual([4, 3, 3, 2]);
  const epochs = signals.bandit({ of: "return/mean", choices: [3, 1], hold: 1 });
  expectExactResume(() => ppo({ ...small, epochs }), corridor(), 32 * 12);
});

it("learns the same in traced environments as step by step, alone or several at once", () => {
  const epochs = signals.bandit({ of: "return/mean", choices: [3, 1, 2], hold: 1 });
  const start = (seed: number, traced = true) => {
    const { spec } = make("CartPole-v1", { traced: true });
    const world = (rows: number) => make("CartPole-v1", { rows, traced: true });
    const env = (rows: number) =>
      traced ? world(rows) : Object.create(world(rows), { traced: { value: undefined } });
    return new Run({ algorithm: ppo({ ...small, epochs }), env: { spec, make: env }, steps: 1e6, seed });
  };
  const [alone, stepped, ...several] = [start(1), start(1, false), start(1), start(2)];
  const [first] = several;
  const together = new BatchedRuns(several);
  for (let i = 0; i < 12; i++) {
    rounds(alone, 1);
    rounds(stepped, 1);
    together.round();
  }
  expect(alone.process.settings.epochs.shown).toBe(stepped.process.settings.epochs.shown);
  expect(weightsOf(alone)).toEqual(weightsOf(stepped));
  expect(weightsOf(first)).toEqual(weightsOf(alone));
});
