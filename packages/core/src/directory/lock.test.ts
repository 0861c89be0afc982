import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { disk } from "./files.ts";
import { markOf, ownHolder } from "./holder.ts";
import { inspectLock, takeLock } from "./lock.ts";
import { scratch } from "./testing.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const child = fileURLToPath(new URL("testing-lock-child.ts", import.meta.url));
const once = fileURLToPath(new URL("testing-lock-once.ts", import.meta.url));
let folder: ReturnType<typeof scratch>;
beforeAll(() => void (folder = scratch()));
afterAll(() => folder.done());
let count = 0;
function fresh(): string {
  const path = join(folder.path, `${count++}`);
  disk.mkdirSync(path);
  return path;
}

it("has one holder at a time, with many processes of which some die", async () => {
  const path = fresh();
  const args = ["node_modules/vite-node/vite-node.mjs", "--config", "vitest.config.ts", child, path, "25"];
  const others = Array.from({ length: 3 }, () => {
    const env = { ...process.env, HOST_NAME: hostname() };
    const other = spawn(process.execPath, args, { cwd: root, env, stdio: ["pipe", "pipe", "inherit"] });
    let said = "";
    const ready = new Promise<void>((go) =>
      other.stdout.on("data", (text) => (said += text).includes("ready") && go()),
    );
    const ended = new Promise<string>((end) => other.on("close", () => end(said)));
    return { other, ready, ended };
  });
  await Promise.all(others.map(({ ready }) => ready));
  for (const { other } of others) other.stdin.write("go\n");
  const said = await Promise.all(others.map(({ ended }) => ended));
  const found = said.map((text) => JSON.parse(text.trim().split("\n").at(-1)!));
  expect(found).toEqual(found.map(() => ({ held: 25, collisions: 0 })));
  expect(readdirSync(path).filter((name) => name.startsWith("lock."))).toEqual([]);
});

it("of a dead process is not taken while another process replaces it", () => {
  const path = fresh();
  const dead = { ...ownHolder(), pid: 2 ** 22 + 1 };
  writeFileSync(join(path, "lock"), JSON.stringify(dead));
  const pause = new Int32Array(new SharedArrayBuffer(4));
  /** Another process that tries to take the lock, and stays alive. */
  const other = (name: string) => {
    const result = join(folder.path, name);
    const args = ["node_modules/vite-node/vite-node.mjs", "--config", "vitest.config.ts", once, path, result];
    const child_ = spawn(process.execPath, args, { cwd: root, stdio: "ignore" });
    onTestFinished(() => void child_.kill("SIGKILL"));
    for (;;) {
      const said = existsSync(result) ? readFileSync(result, "utf8") : "";
      if (said) return said;
      Atomics.wait(pause, 0, 0, 5);
    }
  };
  const seen: string[] = [];
  const renameSync: typeof disk.renameSync = (from, to) => {
    if (seen.length) return disk.renameSync(from, to);
    seen.push(other("before"));
    disk.renameSync(from, to);
    seen.push(other("after"));
  };
  try {
    takeLock({ ...disk, renameSync }, path);
    seen.push("held");
  } catch {
    seen.push("refused");
  }
  expect(seen).toEqual(["refused", "refused", "held"]);
});

it("is not taken while a living process claims it; claims of dead ones are removed", () => {
  const path = fresh();
  const own = ownHolder();
  const claim = (holder: typeof own) => join(path, `lock.${markOf(holder)}`);
  writeFileSync(claim({ ...own, pid: 2 ** 22 + 1 }), "");
  // The same process id with another start time.
  if (own.ticks) writeFileSync(claim({ ...own, ticks: "1" }), "");
  takeLock(disk, path)();
  expect(readdirSync(path)).toEqual([]);
  writeFileSync(claim({ ...own, pid: process.ppid, ticks: null }), "");
  expect(() => takeLock(disk, path)).toThrow("another process is starting to use it");
  expect(readdirSync(path)).toEqual([`lock.${markOf({ ...own, pid: process.ppid, ticks: null })}`]);
});

it("of a process from before a reboot is stale", () => {
  const path = fresh();
  const own = ownHolder();
  writeFileSync(join(path, "lock"), JSON.stringify({ ...own, boot: "another" }));
  expect(inspectLock(path).state).toBe(own.boot ? "stale" : "held");
});

it("that was deleted by hand and taken by another process is not released", () => {
  const path = fresh();
  const release = takeLock(disk, path);
  disk.rmSync(join(path, "lock"));
  writeFileSync(join(path, "lock"), JSON.stringify({ ...ownHolder(), pid: process.ppid }));
  release();
  expect(readdirSync(path)).toEqual(["lock"]);
});
