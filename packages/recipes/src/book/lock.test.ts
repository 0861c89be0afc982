import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { lock, withLock } from "./lock.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-lock-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "one.lock");

describe("a lock", () => {
  it("belongs to one process until it is released", () => {
    const free = lock(path, "one");
    expect(() => lock(path, "one")).toThrow(`process ${process.pid} is already measuring it`);
    free();
    lock(path, "one")();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is acquired by a waiting process when it is released", async () => {
    const order: number[] = [];
    const work = (n: number) => async () => {
      order.push(n);
      await new Promise((done) => setTimeout(done, 20));
      order.push(n);
    };
    await Promise.all([withLock(path, work(1)), withLock(path, work(2))]);
    expect(order).toEqual([1, 1, 2, 2]);
  });

  it.runIf(existsSync("/proc/self/stat"))("is free when its process is a zombie", async () => {
    // The shell becomes a program that does not wait for its child before that child ends, so it stays a zombie.
    const parent = spawn("sh", ["-c", "sleep 1 & echo $!; exec sleep 30"]);
    const [text] = (await once(parent.stdout, "data")) as [Buffer];
    const child = Number(text);
    await expect
      .poll(() => readFileSync(`/proc/${child}/stat`, "utf8"), { timeout: 60_000 })
      .toContain(") Z ");
    writeFileSync(path, `${child}`);
    lock(path, "one")();
    parent.kill();
  });
});
