import { expect, it } from "vitest";
import { imitationStart } from "./imitation.ts";
import { freshModel } from "./model.ts";
import { taskContent } from "./task-content.ts";
import { copying } from "./testing.ts";

const words = { task: copying(), levels: [1], layers: 1, width: 16, heads: 2, imitation: 256 };

it("a task is identified by its problems, not by its name", () => {
  expect(taskContent(copying())).toBe(taskContent(words.task));
  expect(taskContent(words.task)).toMatch(/^copying [0-9a-f]{16}$/);
  // The same code, closed over other letters.
  expect(taskContent(copying("abcd"))).not.toBe(taskContent(words.task));
  const lenient = { ...words.task, verify: () => ({ score: 1 }) };
  expect(taskContent(lenient)).not.toBe(taskContent(words.task));
});

it("a warm start depends on all of its inputs", () => {
  const inputs = (change: object) => JSON.stringify(imitationStart({ ...words, ...change }).inputs);
  expect(inputs({})).toBe(inputs({}));
  for (const change of [{ task: copying("abc") }, { teacher: copying("abc") }, { from: 3 }, { width: 32 }])
    expect(inputs(change)).not.toBe(inputs({}));
});

it("weights come back as they were, and those of another model are rejected", async () => {
  const start = imitationStart({ ...words, from: 5 });
  const bytes = await start.make();
  expect(await start.make()).toEqual(bytes);
  const other = await imitationStart({ ...words, from: 6 }).make();
  expect(other).not.toEqual(bytes);
  const [key] = Object.keys(start.read(bytes).params);
  expect(Object.keys(freshModel(words).params)).toContain(key);
  expect(() => start.read(bytes.slice(0, -4))).toThrow(
    /the warm start has \d+ bytes, but the model has \d+ weights/,
  );
});
