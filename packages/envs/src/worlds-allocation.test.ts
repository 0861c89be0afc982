import { setFlagsFromString } from "node:v8";
import { tensor } from "@reins/tensor";
import { expect, test } from "vitest";
import { make } from "./index.ts";

// As in Node where no test has asked it to wait.
setFlagsFromString("--interrupt-budget=67584");

// In a separate file, for the reason in `allocation.test.ts`.
test.each([
  "MinAtar/Seaquest-v1",
  "MinAtar/Breakout-v1",
  "MemoryCorridor-v0",
  "MiniGrid-MultiRoom-N2-S4-v0",
  "Tetris-v0",
  "ConnectFour-v0",
  "ContextualCartPole-v0",
  "BitFlip-v0",
])("a step of %s allocates nothing", (id) => {
  const rows = 64;
  const env = make(id, { rows });
  const choices = env.spec.action.kind === "discrete" ? env.spec.action.n : 1;
  const action = tensor(new Int32Array(rows));
  env.reset({ seed: 1 });
  const run = (steps: number) => {
    for (let t = 0; t < steps; t++) {
      for (let row = 0; row < rows; row++) action.data[row] = (t * 7 + row * 5 + ((t * row) % 3)) % choices;
      env.step(action);
    }
  };
  // A single number in each of 64,000 steps would be a megabyte, in every stretch.
  let least = Number.POSITIVE_INFINITY;
  for (let stretch = 0; stretch < 100 && least > 300_000; stretch++) {
    const before = process.memoryUsage().heapUsed;
    run(1000);
    least = Math.min(least, Math.abs(process.memoryUsage().heapUsed - before));
  }
  expect(least).toBeLessThan(300_000);
});
