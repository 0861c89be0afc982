import { expect, it } from "vitest";
import * as o from "./index.ts";

it("records runs and compilations by name, and what they take", () => {
  const profile = o.startProfile();
  const double = o.compile((x: o.Tensor) => x.mul(2), { name: "double" });
  const bound = double.bind(o.zeros([4]));
  for (let i = 0; i < 3; i++) bound.run();
  double(o.zeros([4]));
  const { entries, events, milliseconds, memory } = profile.stop();
  const counts = Object.fromEntries(entries.map((e) => [`${e.kind} ${e.name}`, e.count]));
  expect(counts).toEqual({ "compile double": 1, "function double": 4 });
  expect(events.map((e) => e.kind)).toEqual(["compile", "function", "function", "function", "function"]);
  expect(entries.reduce((n, e) => n + e.milliseconds, 0)).toBeLessThanOrEqual(milliseconds);
  expect(memory.heap.peak).toBeGreaterThanOrEqual(memory.heap.used);
  bound.run();
  expect(events).toHaveLength(5);
});

it("is written as trace events", () => {
  const profile = o.startProfile();
  o.compile((x: o.Tensor) => x.add(1), { name: "increase" })(o.zeros([2]));
  const { traceEvents } = JSON.parse(o.traceEvents(profile.stop())) as {
    traceEvents: { ph: string; name: string; ts: number; dur: number }[];
  };
  const spans = traceEvents.filter(({ ph }) => ph === "X");
  expect(spans.map(({ name }) => name)).toEqual(["compile increase", "increase"]);
  expect(spans[1].ts).toBeGreaterThanOrEqual(spans[0].ts + spans[0].dur - 0.001);
});

it("is recorded one at a time", () => {
  const profile = o.startProfile();
  expect(() => o.startProfile()).toThrow("recorded already");
  profile.stop();
  o.startProfile().stop();
});
