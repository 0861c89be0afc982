import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { sanitizedArguments } from "../../testing/sanitize.ts";
import { checkSanitizer, sanitizedEnvironment } from "./sanitize.ts";
import { missing } from "./testing.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-sanitize-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = (() => {
  try {
    return sanitizedEnvironment();
  } catch {
    return undefined;
  }
})();

const root = join(import.meta.dirname, "../../../../..");
const source = (file: string) => JSON.stringify(join(root, "packages/tensor/src", file));

// One process for all: under a sanitiser it takes seconds to start.
const program = `
import * as o from ${source("index.ts")};
import { heapGuard } from ${source("backends/native/native.ts")};
const native = { backend: "native" } as const;
const ints = (values: number[]) => o.tensor(values, { dtype: "i32" });
const f = o.compile((x: o.Tensor, n: o.Tensor, r: o.Tensor) => [
  o.sum(x), o.prod(x), o.div(n, -1), o.div(n, o.sub(n, n)), o.neg(n), o.abs(n), o.mul(n, n), o.shl(n, 35),
  o.mod(n, o.sub(o.sub(n, n), 1)), o.cast(r, "i32"), o.cast(r, "u32"), o.cast(r, "u8"),
], native);
const r = o.tensor([1e20, -1e20, NaN, Infinity, -Infinity, 3e9, -1]);
const results = f(ints(Array(40).fill(2147483647)), ints(Array(9).fill(-2147483648)), r);
console.log(results.map((t) => t.data[0]).join());

// Regions have 2 MiB here: the first has no room for another tensor like this one.
const [other, x] = [1, 1].map((n) => o.full([299_997], n));
const bytes = 4 * 299_997;
const held = o.compile((t: o.Tensor) => o.sum(t), native).bind(other);
held.run();
const bound = o.compile((t: o.Tensor) => o.mul(t, 2), native).bind(x);
const { offset, region } = x.storage!.moveToHeap();
console.log("in one region:", region === other.storage!.moveToHeap().region);
const guard = heapGuard()!(region);
guard.poison(offset, bytes);
// TypeScript's reads and writes are not faults, and memory that is allowed again is allowed.
x.data[0] = 3;
guard.unpoison(offset, bytes);
// To the next multiple of 64.
guard.poison(offset + bytes, 12);
bound.run();
console.log("up to the last element", bound.result.data[0]);
guard.poison(offset + bytes - 4, 16);
bound.run();
console.log("beyond it");
`;

describe.skipIf(missing || !environment)("under the sanitisers", () => {
  const lines: string[] = [];
  let report = "";
  beforeAll(async () => {
    const script = join(folder, "program.ts");
    writeFileSync(script, program);
    const node = join(root, "node_modules/vite-node/vite-node.mjs");
    const args = [node, "--root", root, "--config", join(root, "vitest.config.ts"), script];
    const env = { ...process.env, ...environment, REINS_REGION: "2" };
    await new Promise<void>((resolve) => {
      execFile(process.execPath, args, { env }, (_, stdout, stderr) => {
        lines.push(...stdout.trim().split("\n"));
        report = stderr;
        resolve();
      });
    });
  });

  test("integer overflow and out-of-range conversions are defined", () => {
    expect(lines[0]).toBe("-40,1,-2147483648,0,-2147483648,-2147483648,0,0,0,2147483647,4294967295,255");
    expect(report).not.toContain("runtime error");
  });

  test("compiled code that touches poisoned memory ends with a report", () => {
    expect(lines.slice(1)).toEqual(["in one region: false", "up to the last element 6"]);
    // With the kernel's operations, and its function.
    expect(report).toMatch(/use-after-poison .*mul.* in k0/);
  });
});

test("npm run sanitize runs tests of compiled programs, all tests, or your own program", () => {
  const files = sanitizedArguments([]).filter((argument) => argument.endsWith(".test.ts"));
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(sanitizedArguments(["--all", "-t", "sum"])).toEqual(
    expect.arrayContaining(["packages/tensor", "packages/nn", "-t", "sum"]),
  );
  expect(sanitizedArguments(["script.js", "--all"])).toEqual(["script.js", "--all"]);
});

test("says what is wanted where the sanitiser is not loaded", () => {
  vi.stubEnv("LD_PRELOAD", "");
  vi.stubEnv("REINS_SANITIZE", "thread");
  expect(checkSanitizer).toThrow('REINS_SANITIZE is "thread"');
  vi.stubEnv("REINS_SANITIZE", "address");
  expect(checkSanitizer).toThrow("npm run sanitize");
  vi.unstubAllEnvs();
});
