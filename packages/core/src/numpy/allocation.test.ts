import { setFlagsFromString } from "node:v8";
import { expect, test } from "vitest";
import { defaultRng } from "./index.ts";

// Whether the engine inlines a call depends on what else runs. Without inlining, numbers above 2^31 would be boxed.
setFlagsFromString("--max-inlined-bytecode-size=0");

test("integers in a range allocate nothing, also where calls are not inlined", () => {
  const random = defaultRng(1);
  let sum = 0;
  const run = (count: number) => {
    for (let i = 0; i < count; i++) sum += random.integers(0, 3);
  };
  // A number in every eighth call would be 100 kB, in every stretch.
  let least = Number.POSITIVE_INFINITY;
  for (let stretch = 0; stretch < 100 && least > 50_000; stretch++) {
    const before = process.memoryUsage().heapUsed;
    run(50_000);
    least = Math.min(least, Math.abs(process.memoryUsage().heapUsed - before));
  }
  expect(sum).toBeGreaterThan(0);
  expect(least).toBeLessThan(50_000);
});
