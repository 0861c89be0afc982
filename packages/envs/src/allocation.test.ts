import { setFlagsFromString } from "node:v8";
import { tensor } from "@reins/tensor";
import { expect, test } from "vitest";
import { make } from "./index.ts";

// As in Node where no test has asked it to wait.
setFlagsFromString("--interrupt-budget=67584");

// Alone in its file: what other tests did with the same functions decides what the engine compiles.
test("a step allocates nothing", () => {
  const env = make("CartPole-v1", { rows: 64 });
  const action = tensor(new Int32Array(64).map((_, i) => i % 2));
  env.reset({ seed: 1 });
  const run = (steps: number) => {
    for (let t = 0; t < steps; t++) env.step(action);
  };
  // 5000 steps begin some 20000 episodes; a single object for each would be over a megabyte, in every stretch.
  // Before the engine has compiled the loop, and during garbage collection, it is more.
  let least = Number.POSITIVE_INFINITY;
  for (let stretch = 0; stretch < 100 && least > 400_000; stretch++) {
    const before = process.memoryUsage().heapUsed;
    run(5000);
    least = Math.min(least, Math.abs(process.memoryUsage().heapUsed - before));
  }
  expect(least).toBeLessThan(400_000);
});
