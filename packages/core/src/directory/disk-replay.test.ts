import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { random, type Tensor } from "@reins/tensor";
import { afterAll, describe, expect, it } from "vitest";
import { fill, testGrid } from "../replay/testing.ts";
import { diskReplay } from "./disk-replay.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-disk-replay-"));
afterAll(() => rmSync(folder, { recursive: true }));

const make = (name: string, capacity = 100) => {
  const grid = testGrid(1);
  const memory = diskReplay({ path: join(folder, name), capacity, seed: 1 })(grid, 16);
  memory.sample(16, random.key(0));
  const add = (from: number, to: number) => {
    for (let i = from; i < to; i++) memory.add(fill(grid, [{ at: i, reward: i * 2, next: i + 1 }]));
  };
  const drawn = () => {
    memory.prepare!();
    const { observation, reward, next } = memory.columns as { [name: string]: Tensor };
    return Array.from(observation.data, (x, i) => [x, reward.data[i], next.data[i]]);
  };
  return { memory, add, drawn };
};

describe("diskReplay", () => {
  it("returns written transitions, the newest when it is full", () => {
    const { memory, add, drawn } = make("ring", 100);
    add(0, 150);
    expect(memory.size.data[0]).toBe(100);
    expect(memory.bytes).toBe(100 * 20);
    expect(statSync(join(folder, "ring")).size).toBe(memory.bytes);
    const seen = new Set<number>();
    for (let k = 0; k < 100; k++)
      for (const [x, r, n] of drawn()) {
        expect([r, n]).toEqual([x * 2, x + 1]);
        seen.add(x);
      }
    expect(Math.min(...seen)).toBe(50);
    expect(seen.size).toBe(100);
  });

  it("continues exactly after save and restore, and keeps only the newest copies", () => {
    const a = make("a");
    a.add(0, 30);
    const snapshot = a.memory.save();
    a.add(30, 60);
    const later = [a.drawn(), a.drawn()];
    const b = make("b");
    b.memory.restore(snapshot);
    b.add(30, 60);
    expect([b.drawn(), b.drawn()]).toEqual(later);
    for (let i = 0; i < 4; i++) a.memory.save();
    expect(existsSync(join(folder, "a.0"))).toBe(false);
    expect(() => b.memory.restore(snapshot)).toThrow("was removed");
  });

  it("refuses a larger file once entries were overwritten", () => {
    const full = make("full", 20);
    full.add(0, 30);
    expect(() => make("larger", 40).memory.restore(full.memory.save())).toThrow(
      "holds 20 entries, but this one has a capacity of 40",
    );
  });

  it.each([
    ["empty", () => Buffer.alloc(0), "has 0 bytes instead of 600"],
    ["cut", (bytes: Buffer) => bytes.subarray(0, -1), "has 599 bytes instead of 600"],
    ["flipped in one bit", (bytes: Buffer) => bytes.fill(bytes[123] ^ 1, 123, 124), "its digest differs"],
  ])("refuses a copy that is %s, and changes nothing", (name, damage, words) => {
    const a = make(`damaged ${name}`);
    a.add(0, 30);
    const snapshot = a.memory.save() as { copy: string };
    writeFileSync(snapshot.copy, damage(readFileSync(snapshot.copy)));
    const b = make(`other ${name}`);
    b.add(0, 20);
    const before = b.memory.size.data[0];
    expect(() => b.memory.restore(snapshot as never)).toThrow(words);
    expect(b.memory.size.data[0]).toBe(before);
    expect(b.drawn().every(([x]) => x < 20)).toBe(true);
  });

  it("reports folders in place of its file or a copy, and deletes none", () => {
    const path = join(folder, "folder");
    mkdirSync(path);
    const a = make("folder");
    expect(() => a.add(0, 30)).toThrow(
      /cannot be written: there is a folder where a file should be \(EISDIR/,
    );
    expect(existsSync(path)).toBe(true);
    const b = make("copied");
    b.add(0, 30);
    const snapshot = b.memory.save() as { copy: string };
    rmSync(snapshot.copy);
    mkdirSync(snapshot.copy);
    expect(() => b.memory.restore(snapshot as never)).toThrow("is a folder, but must be a file");
  });

  it("detects a truncated file", () => {
    const a = make("short");
    a.add(0, 30);
    writeFileSync(join(folder, "short"), "");
    expect(() => a.drawn()).toThrow("is missing: another process");
    expect(() => a.memory.save()).toThrow("has 0 bytes instead of 600");
  });

  it("does not touch the file of a run in progress when another process reads it", () => {
    const a = make("busy");
    a.add(0, 30);
    const snapshot = a.memory.save();
    const b = make("busy");
    expect(a.drawn()).toHaveLength(16);
    b.memory.restore(snapshot);
    expect(b.drawn()).toHaveLength(16);
    a.add(30, 40);
    expect(() => a.memory.save()).not.toThrow();
    // A writer takes the name, and the other process reports that.
    b.add(30, 31);
    expect(a.drawn()).toHaveLength(16);
    expect(() => a.memory.save()).toThrow("replaced by another process");
  });
});
