import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { dualAveraging, type History, Received } from "./delayed-dual-averaging.parts.ts";

it("counts pairs of gradients that did not know of each other", () => {
  const history: History = {
    gradients: [Float64Array.of(2), Float64Array.of(-3), Float64Array.of(1)],
    norms: [2, 3, 1],
    // The third was predicted with the first known.
    based: [Uint8Array.of(0, 0, 0), Uint8Array.of(0, 0, 0), Uint8Array.of(1, 0, 0)],
  };
  const received = new Received(1, 3);
  received.receive(1, 4, history);
  received.receive(0, 4, history);
  expect([received.lag, received.squares, received.sum[0], received.longest]).toEqual([6, 13, -1, 4]);
  received.receive(2, 4, history);
  // The third and the second did not know of each other, the third knew the first.
  expect([received.lag, received.count]).toEqual([9, 3]);
});

it("learns without delays, and knows nothing if nothing arrives", () => {
  const options = { dimension: 2, rounds: 400, agents: 1, noise: 0.1, radius: 10, block: 1 };
  const excess = dualAveraging(
    options,
    ({ count }) => 1 / Math.sqrt(count + 1),
    () => 1,
    defaultRng(1),
  );
  expect(excess[399]).toBeLessThan(0.2 * excess[0]);
  const blind = dualAveraging(
    options,
    () => 1,
    () => 1000,
    defaultRng(1),
  );
  expect(new Set(blind).size).toBe(1);
});
