import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Tensor } from "../../index.ts";
import { cacheDirectory } from "./folder.ts";
import { moduleStore } from "./modules.ts";

let folder: string;
const files = () => readdirSync(cacheDirectory()).filter((f) => f.endsWith(".wasm"));
const path = (file: string) => join(cacheDirectory(), file);
const module = { text: '{"threads":1,"name":"ü"}', bytes: new Uint8Array([0, 97, 115, 109, 10, 13, 255]) };

describe("modules in the cache", () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "reins-modules-test-"));
    vi.stubEnv("REINS_CACHE", join(folder, "cache"));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a module is found again with its text, and nothing else is left", () => {
    const { find, keep } = moduleStore();
    expect(find("f")).toBeUndefined();
    keep("f", module);
    expect(find("f")).toEqual(module);
    expect(find("g")).toBeUndefined();
    expect(readdirSync(cacheDirectory())).toHaveLength(1);
  });

  test("a flipped bit or a truncation anywhere is a miss, and the file is removed", () => {
    const { find, keep } = moduleStore();
    keep("f", module);
    const [file] = files().map(path);
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at++) {
      for (const damaged of [whole.subarray(0, at), Buffer.from(whole)]) {
        if (damaged.length === whole.length) damaged[at] ^= 1 << (at % 8);
        writeFileSync(file, damaged);
        expect(find("f")).toBeUndefined();
        expect(existsSync(file)).toBe(false);
      }
    }
  });

  test("swapped modules are misses", () => {
    const { find, keep } = moduleStore();
    keep("f", module);
    const [f] = files().map(path);
    keep("g", { ...module, text: "other" });
    const g = path(files().find((name) => path(name) !== f) ?? "");
    renameSync(f, `${f}.x`);
    renameSync(g, f);
    renameSync(`${f}.x`, g);
    expect([find("f"), find("g")]).toEqual([undefined, undefined]);
  });

  test("another process finds the program and computes the same bits, with its own workspace and barrier", async () => {
    const run = async (shift: number) => {
      vi.resetModules();
      const o = await import("../../index.ts");
      const { heap } = await import("../../heap.ts");
      heap.allocate(64 * (1 + shift));
      const f = o.compile((x: Tensor, w: Tensor) => o.sum(o.tanh(o.matmul(x, w)), 0), { backend: "wasm" });
      const given = (n: number, m: number) => o.reshape(o.sin(o.cast(o.arange(n * m), "f32")), [n, m]);
      return [...f(given(300, 200), given(200, 100)).data];
    };
    const first = await run(0);
    expect(files()).toHaveLength(1);
    const { ino } = statSync(path(files()[0]));
    expect(await run(1000)).toEqual(first);
    expect(files()).toHaveLength(1);
    // It was read, not rewritten.
    expect(statSync(path(files()[0])).ino).toBe(ino);
  });
});
