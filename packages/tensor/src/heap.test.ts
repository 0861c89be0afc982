import { describe, expect, it } from "vitest";
import { heap } from "./heap.ts";
import type { Tensor } from "./index.ts";
import * as o from "./index.ts";

describe("the heap beyond 2 GiB", () => {
  const large = 2 ** 31 + 100;

  it("gives every block its own bytes, and reports when it is full", () => {
    const first = heap.allocate(large);
    const second = heap.allocate(64);
    expect(second).toBeGreaterThanOrEqual(first + large);
    expect(() => heap.allocate(large)).toThrow(/The tensor heap is full: 2147483748 bytes were requested/);
    expect(() => heap.allocate(2 ** 40)).toThrow(/The tensor heap is full/);
    // A refused request reserves nothing.
    expect(heap.allocate(64)).toBe(second + 64);
    for (const [offset, bytes] of [
      [second + 64, 64],
      [second, 64],
      [first, large],
    ])
      heap.release(offset, bytes);
    expect(heap.top).toBe(first);
  });

  it("reclaims unused memory, also when it cannot grow", () => {
    const rest = heap.allocate(2 ** 32 - heap.top - 2 ** 23);
    const block = heap.reserve(2 ** 20);
    const end = heap.allocate(2 ** 32 - heap.top - 64);
    heap.waits({ waiting: false, relieve: () => block.release() });
    expect(heap.allocate(2 ** 20)).toBe(block.offset);
    expect(() => heap.allocate(2 ** 20)).toThrow(/The tensor heap is full/);
    heap.release(block.offset, 2 ** 20);
    heap.release(end, 2 ** 32 - 64 - end);
    heap.release(rest, end - 2 ** 20 - rest);
    expect(heap.top).toBe(rest);
  });

  it("refuses functions that need more memory than available", () => {
    for (const backend of ["wasm"] as const) {
      const sums = (n: number) =>
        o.compile((x: Tensor) => o.sum(o.cumsum(o.broadcastTo(x, [n]))), { backend });
      expect(() => sums(2 ** 30 + 1)(o.ones([1]))).toThrow(/The tensor heap is full/);
      expect(() => sums(2 ** 31)(o.ones([1]))).toThrow(/has more than 2³¹ - 1 elements/);
    }
  });
});
