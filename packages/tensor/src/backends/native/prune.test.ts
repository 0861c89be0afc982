import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inTemporary } from "./folder.ts";
import { cacheLimit, prune } from "./prune.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reins-prune-test-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A file (or folder) that was last used the given hours ago. */
function put(name: string, hours: number, bytes?: number): void {
  const path = join(folder, name);
  if (bytes === undefined) mkdirSync(path);
  else writeFileSync(path, Buffer.alloc(bytes));
  const then = new Date(Date.now() - hours * 3_600_000);
  utimesSync(path, then, then);
}
const left = () => readdirSync(folder).sort();

test("removes the least recently used files first, until a quarter of the limit is free", () => {
  for (let i = 0; i < 10; i++) put(`${i}.so`, 10 - i, 65536);
  put("mine.txt", 99, 65536);
  prune(folder, 10 * 65536);
  expect(left()).toHaveLength(11);
  prune(folder, 8 * 65536);
  expect(left()).toEqual(["4.so", "5.so", "6.so", "7.so", "8.so", "9.so", "mine.txt"]);
  // Probably about to be loaded.
  put("new.so", 0, 65536);
  prune(folder, 0);
  expect(left()).toEqual(["mine.txt", "new.so"]);
});

test("removes temporary folders that are a day old and whose process has ended", () => {
  const { pid: gone } = spawnSync("true");
  put(`building.${gone}.old`, 25);
  put(`building.${gone}.new`, 23);
  put(`building.${process.pid}.ours`, 99);
  put("building.nonsense", 25);
  prune(folder, 1e9);
  expect(left()).toEqual([`building.${process.pid}.ours`, `building.${gone}.new`].sort());
});

test("a temporary folder does not outlive an error", () => {
  let path = "";
  const broken = () =>
    inTemporary(folder, (at) => {
      path = at;
      writeFileSync(join(at, "half"), "");
      throw new Error("disk full");
    });
  expect(broken).toThrow("disk full");
  expect(path).not.toBe("");
  expect(existsSync(path)).toBe(false);
});

test("the limit is in MiB and must be a number", () => {
  expect(cacheLimit()).toBe(512 << 20);
  vi.stubEnv("REINS_CACHE_SIZE", "1.5");
  expect(cacheLimit()).toBe(1.5 * 2 ** 20);
  vi.stubEnv("REINS_CACHE_SIZE", "much");
  expect(cacheLimit).toThrow('REINS_CACHE_SIZE is "much"');
});
