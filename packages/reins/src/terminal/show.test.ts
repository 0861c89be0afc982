import { expect, it } from "vitest";
import type { Progress } from "../training/progress.ts";
import { widthOf } from "./ink.ts";
import { showRoom, showView } from "./show.ts";

const progress = {
  run: { process: {}, options: { env: { spec: { solvedAt: 475 } } }, steps: 1000 },
  metrics: {},
  steps: 1000,
  budget: 100_000,
  episodes: 40,
  return: 25,
  seconds: 1,
  stepsPerSecond: 40_000,
  left: 2,
} as unknown as Progress;

it.each([
  [80, 24],
  [110, 20],
  [200, 60],
])("the view fits a terminal of %i × %i", (columns, rows) => {
  expect(showRoom({ columns, rows })).toBe(true);
  let text = "";
  const view = showView({ write: (t: string) => (text += t), columns, rows } as never, "PPO learns");
  text = "";
  view.update(progress);
  const lines = text.trimEnd().split("\n");
  view.close();
  expect(lines.length).toBeLessThan(rows);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches escape codes.
  for (const line of lines) expect(widthOf(line.replace(/\x1b\[K/g, ""))).toBeLessThan(columns);
  for (const part of ["PPO learns", "475 ┤", "return 25", "40 episodes"]) expect(text).toContain(part);
});

it("detects terminals that are too small", () => {
  expect(showRoom({ columns: 60, rows: 40 })).toBe(false);
  expect(showRoom({ columns: 80, rows: 20 })).toBe(false);
});
