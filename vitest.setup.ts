import { setFlagsFromString } from "node:v8";
import { afterAll, vi } from "vitest";

// Tests run most code a few times and end. Node would spend a third of their time on optimising it: this raises the threshold.
// Newer versions than Node 20 do not have the flag, and would print an error for every file.
if (process.versions.node.startsWith("20.")) setFlagsFromString("--interrupt-budget=300000");

// Files of one project may share a process.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
