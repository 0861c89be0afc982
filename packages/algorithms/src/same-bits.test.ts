import { readFileSync, writeFileSync } from "node:fs";
import { availableBackends, currentBackend, setBackend } from "@reins/tensor";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sameRuns, weightsDigest } from "./testing-runs.ts";

// Node 20 lacks fused multiply-add, which defines sums and products here.
vi.stubEnv("REINS_RELAXED_SIMD", "1");
const before = currentBackend().name;
const backends = availableBackends().filter((b) => b !== "reference");
afterAll(() => {
  setBackend(before);
  vi.unstubAllEnvs();
});

const file = new URL("../fixtures/bits.json", import.meta.url);
const names = Object.keys(sameRuns);

// REINS_WRITE_BITS=1 writes the file, after a change to the definition of a sum or to a method.
if (process.env.REINS_WRITE_BITS)
  beforeAll(() => {
    setBackend(backends[0]);
    const digests = Object.fromEntries(names.map((name) => [name, weightsDigest(sameRuns[name]())]));
    writeFileSync(file, `${JSON.stringify(digests, null, 1)}\n`);
  });

for (const backend of backends)
  for (const name of names)
    it(`${name} learns bit-identical weights on ${backend} on every machine`, () => {
      setBackend(backend);
      expect(weightsDigest(sameRuns[name]())).toBe(JSON.parse(readFileSync(file, "utf8"))[name]);
    });
