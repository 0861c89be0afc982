import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { inUnit } from "./benchmarks.ts";
import { readOptions } from "./options.ts";
import { describeResult } from "./report.ts";
import { convert } from "./result.ts";

test("everything is measured by default", () => {
  const options = readOptions([]);
  expect(options.only).toHaveLength(9);
  expect(options.backends).toEqual(["native", "wasm"]);
  expect(options.threads).toEqual([...new Set([1, availableParallelism()])]);
});

test("parses options, and refuses unknown ones", () => {
  expect(
    readOptions(["--only", "matmul-1024,gpt-4x128", "--backend=wasm", "--threads", "3", "--json"]),
  ).toMatchObject({
    only: ["matmul-1024", "gpt-4x128"],
    backends: ["wasm"],
    threads: [3],
    json: true,
  });
  expect(() => readOptions(["--only", "matmul"])).toThrow("--only matmul is unknown. Use forward-64-b1");
  expect(() => readOptions(["--threads", "0"])).toThrow("whole numbers");
  expect(() => readOptions(["--fast"])).toThrow("Unknown option --fast");
});

test("rates grow as times shrink", () => {
  const rate = convert({ median: 0.02, low: 0.01, high: 0.04 }, (s) => inUnit("gpt-4x128", "tokens/s", s));
  expect(rate).toEqual({ value: 102400, spread: [51200, 204800] });
  expect(inUnit("matmul-1024", "GFLOP/s", 2 * 1.024 ** 3)).toBeCloseTo(1);
  expect(inUnit("forward-64-b1", "µs", 2e-6)).toBeCloseTo(2);
});

test("a row shows whether its floor is met, and why a number is missing", () => {
  const row = {
    name: "matmul-1024",
    backend: "native",
    threads: 1,
    unit: "GFLOP/s",
    peerName: "PyTorch",
    floor: 0.8,
  };
  const both = {
    ...row,
    ours: 30,
    peer: 35,
    ratio: 30 / 35,
    spread: { ours: [29, 31], peer: [34, 36] },
    met: true,
  } as const;
  expect(describeResult(both)).toMatch(
    /30\.0 \(29\.0–31\.0\) +35\.0 \(34\.0–36\.0\) +GFLOP\/s +0\.857 +≥0\.8 +met/,
  );
  const alone = {
    ...row,
    ours: null,
    peer: null,
    ratio: null,
    spread: { ours: null, peer: null },
    met: null,
    note: "peer unavailable: no torch",
  };
  expect(describeResult(alone)).toContain("\n    peer unavailable: no torch");
});
