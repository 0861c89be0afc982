import { setFlagsFromString } from "node:v8";
import { columns } from "@reins/core/spaces";
import { expect, test } from "vitest";
import { make } from "./registry.ts";
import {
  clipAction,
  clipReward,
  compose,
  flattenObservation,
  frameStack,
  noise,
  normaliseObservation,
  normaliseReward,
  rescaleAction,
  stickyActions,
} from "./wrappers/index.ts";

// As in Node where no test has asked it to wait.
setFlagsFromString("--interrupt-budget=67584");

// In a separate file, for the reason in `allocation.test.ts`.
test("a step through wrappers allocates nothing", () => {
  const env = compose(
    make("Pendulum-v1", { rows: 64, maxSteps: 20 }),
    rescaleAction,
    clipAction,
    stickyActions,
    (e) => noise(e, 0.1),
    normaliseObservation,
    (e) => frameStack(e, 3),
    flattenObservation,
    normaliseReward,
    clipReward,
  );
  const action = columns(env.spec.action, 64);
  env.reset({ seed: 1 });
  const run = (steps: number) => {
    for (let t = 0; t < steps; t++) env.step(action);
  };
  // The exact sines, which one in thirty needs, and the tails of noise, one in a hundred, are compiled late.
  run(4000);
  let least = Number.POSITIVE_INFINITY;
  // One small object in each step of each wrapper would be 400 kB; the engine's own allocations add to it, for
  // longer on a busy machine.
  for (let tries = 0; tries < 100 && least >= 200_000; tries++) {
    const before = process.memoryUsage().heapUsed;
    run(1000);
    const grown = process.memoryUsage().heapUsed - before;
    if (grown >= 0) least = Math.min(least, grown);
  }
  expect(least).toBeLessThan(200_000);
});
