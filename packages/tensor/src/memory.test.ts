import { setFlagsFromString } from "node:v8";
import { describe, expect, it } from "vitest";
import { heap } from "./heap.ts";
import type { Tensor } from "./index.ts";
import * as o from "./index.ts";
import { backends } from "./testing/backends.ts";

// Node's default, unless a test has requested asynchronous waiting.
setFlagsFromString("--interrupt-budget=67584");

const megabyte = 2 ** 20;

/** Growth of the tensor heap and of the process while `body` ran `count` times, after a tenth of that as a warm-up. */
function growth(count: number, body: (i: number) => void): { heap: number; process: number } {
  for (let i = 0; i < count / 10; i++) body(i);
  const used = () => {
    const m = process.memoryUsage();
    return m.heapUsed + m.arrayBuffers;
  };
  const [top, before] = [heap.top, used()];
  let most = 0;
  for (let i = 0; i < count; i++) {
    body(i);
    if (i % 50_000 === 0) most = Math.max(most, used() - before);
  }
  return { heap: heap.top - top, process: Math.max(most, used() - before) };
}

// Garbage waits for the collector, so the bound is generous: 10⁶ leaked objects would exceed it clearly.
const bound = 160 * megabyte;

describe("memory stays flat", () => {
  for (const backend of backends()) {
    it(`over 10⁶ calls of a bound function (${backend})`, () => {
      const [x, w] = [o.ones([8]), o.ones([8])];
      const step = o.compile((s: Tensor, v: Tensor) => o.add(s, v), { backend, donate: [0] }).bind(w, x);
      const grown = growth(1_000_000, () => step.run());
      expect(grown.heap).toBe(0);
      expect(grown.process).toBeLessThan(bound);
      expect(w.data[0]).toBe(1_100_001);
      step.dispose();
    });

    it(`over 20 000 plain calls, with and without donation (${backend})`, () => {
      const f = o.compile((s: Tensor, v: Tensor) => o.mul(o.add(s, v), 0.5), { backend });
      const g = o.compile((s: Tensor, v: Tensor) => o.mul(o.add(s, v), 0.5), { backend, donate: [0] });
      const x = o.ones([16]);
      let s = o.zeros([16]);
      const grown = growth(20_000, () => {
        f(x, x);
        s = g(s, x);
      });
      expect(grown.heap).toBeLessThan(megabyte);
      expect(grown.process).toBeLessThan(bound);
      expect(s.data[3]).toBeCloseTo(1);
    });

    it(`over binding and disposing (${backend})`, () => {
      const f = o.compile((v: Tensor) => o.exp(v), { backend });
      const x = o.ones([1000]);
      const grown = growth(1000, () => {
        const b = f.bind(x);
        b.run();
        b.dispose();
      });
      expect(grown.heap).toBeLessThan(megabyte);
    });
  }

  it("over 10⁶ eager operations", () => {
    let t = o.tensor(0);
    const one = o.tensor(1);
    const grown = growth(1_000_000, () => {
      t = o.add(t, one);
    });
    expect(grown.heap).toBe(0);
    expect(grown.process).toBeLessThan(bound);
    expect(t.item()).toBe(1_100_000);
  });
});
