import { describe, expect, it } from "vitest";
import type { Progress } from "../training/progress.ts";
import { History } from "./history.ts";
import { plainInk } from "./ink.ts";
import { lineView, progressLine, trainingFrame, trainingView } from "./training-view.ts";

const progress = {
  run: { options: { env: {} } },
  steps: 25_000,
  budget: 100_000,
  episodes: 312,
  return: 187.25,
  seconds: 1.5,
  stepsPerSecond: 43_210,
  left: 1.74,
  metrics: {},
} as unknown as Progress;

const history = new History();
for (let i = 0; i <= 25; i++) history.add(i * 1000, i * 7.5);

describe("training view", () => {
  it.each([
    [60, 12],
    [80, 24],
    [200, 60],
  ])("fits a terminal of %i × %i", (columns, rows) => {
    const lines = trainingFrame(
      { title: "ppo on CartPole-v1", goal: 475 },
      progress,
      [history.series("return")],
      { columns, height: Math.min(14, rows - 6) },
      plainInk,
    );
    expect(lines.length).toBeLessThan(rows);
    for (const line of lines.slice(0, -1)) expect([...line].length).toBeLessThan(columns);
    const text = lines.join("\n");
    for (const part of [
      "ppo on CartPole-v1",
      "475 ┤",
      "25 %",
      "return 187.3",
      "312 episodes",
      "43.2k steps/s",
      "1.7 s left",
    ])
      expect(text).toContain(part);
  });

  it("is complete if whole rounds exceed the budget", () => {
    const over = { ...progress, steps: 102_400 };
    const text = trainingFrame(
      { title: "" },
      over,
      [history.series("return")],
      { columns: 80, height: 14 },
      plainInk,
    ).join("\n");
    expect(text).toContain("100 %");
  });

  it("scales to the curve with --solved", () => {
    const subject = { title: "", goal: 475, untilSolved: true };
    const text = trainingFrame(
      subject,
      progress,
      [history.series("return")],
      { columns: 80, height: 14 },
      plainInk,
    ).join("\n");
    expect(text).toContain("25k steps");
    expect(text).not.toContain(" left");
  });

  it("prints progress lines into files", () => {
    const lines: string[] = [];
    const out = { write: (text: string) => lines.push(text) } as never;
    const view = trainingView(out, { title: "title" });
    for (let seconds = 0; seconds < 60; seconds += 0.25) view.update({ ...progress, seconds });
    view.close(progress);
    expect(lines[0]).toBe("title\n");
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.length).toBeLessThan(12);
    expect(progressLine(progress)).toBe(
      " 25 000 of 100 000 steps   return   187.3   43.2k steps/s   1.7 s left",
    );
    lineView(out, { title: "", untilSolved: true }).close(progress);
    expect(lines.at(-1)).toContain("1.5 s");
  });
});
