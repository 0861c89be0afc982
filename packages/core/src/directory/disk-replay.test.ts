import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
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
  memory.pick(16, random.key(0));
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
  it("gives back what was written, the newest of it when it is full", () => {
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

  it("saved and restored goes on exactly, and keeps only the newest copies", () => {
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
});
