import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PerformanceObserver } from "node:perf_hooks";
import { train } from "reins";
import { ppoCartPole } from "./workloads.ts";

// Run with a young generation that is large enough to avoid collections: the growth of the heap is the amount allocated. One collection
// before the measurement removes garbage from the start.
const steps = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), "reins-heap-"));
const { gc: collect } = globalThis;
if (!collect) throw new Error("Run with --expose-gc.");
let collections = 0;
new PerformanceObserver((list) => {
  collections += list.getEntries().length;
}).observe({ entryTypes: ["gc"] });
let from = { steps: 0, used: 0 };
let to = from;
await train({
  algorithm: ppoCartPole(),
  env: "CartPole-v1",
  steps: steps + 200_000,
  seed: 1,
  directory: join(folder, "run"),
  progressEvery: 1000,
  onProgress: ({ steps: at }) => {
    // Functions are compiled until then.
    const begins = at >= 200_000 && from.steps === 0;
    if (begins) collect();
    const here = { steps: at, used: process.memoryUsage().heapUsed };
    if (begins) {
      from = here;
      setTimeout(() => {
        collections = 0;
      }, 50);
    }
    to = here;
  },
});
rmSync(folder, { recursive: true });
const bytes = ((to.used - from.used) / (to.steps - from.steps)) * 1e6;
process.stdout.write(
  `${JSON.stringify({ megabytes: bytes / 1e6, collections, steps: to.steps - from.steps })}\n`,
);
process.exit(0);
