import { expect, it } from "vitest";
import { transferChoice } from "./mbtl.parts.ts";

const places = Array.from({ length: 11 }, (_, i) => i / 10);
/** A policy has value 1 in its own task, and less by the distance times a slope. */
const trained = (task: number, slope: number) => ({
  task,
  scores: places.map((p) => Math.max(0, 1 - slope * Math.abs(p - places[task]))),
});

it("starts in the middle, and continues where policies do not transfer", () => {
  expect(transferChoice({ places, trained: [] })).toBe(5);
  const after = transferChoice({ places, trained: [trained(5, 3)] });
  expect(Math.abs(after - 5)).toBeGreaterThan(1);
  const third = transferChoice({ places, trained: [trained(5, 3), trained(2, 3)] });
  expect(third).toBeGreaterThan(6);
});

it("never chooses a task twice", () => {
  const list: ReturnType<typeof trained>[] = [];
  for (let k = 0; k < places.length; k++) list.push(trained(transferChoice({ places, trained: list }), 3));
  expect(list.map((t) => t.task).sort((a, b) => a - b)).toEqual(places.map((_, i) => i));
});
