import { describe, expect, it } from "vitest";
import { frame, pictureRows, type Scene } from "./frame.ts";
import { inkFor } from "./ink.ts";
import type { Progress } from "./train.ts";
import { grouped, progressLine, summary } from "./words.ts";

const scene: Scene = {
  choice: { name: "wasm", why: "as --backend says" },
  widths: [2, 64, 64, 1],
  weights: 4417,
  marks: [],
};
const progress: Progress = {
  step: 1500,
  steps: 6000,
  losses: [0.7, 0.5, 0.25],
  accuracy: 0.875,
  rate: 4321,
  left: 12.2,
};
const square = { size: 2, values: [0, 1, 1, 0] };

describe("frame", () => {
  for (const size of [
    { columns: 80, rows: 24 },
    { columns: 120, rows: 40 },
    { columns: 200, rows: 60 },
  ]) {
    it(`fits a terminal of ${size.columns} × ${size.rows}`, () => {
      const lines = frame(scene, progress, square, size, inkFor(1));
      expect(lines.length).toBe(pictureRows(size.columns, size.rows));
      expect(lines.length).toBeLessThan(size.rows - 1);
      for (const line of lines) expect([...line].length).toBeLessThan(size.columns);
      const text = lines.join("\n");
      for (const part of [
        "wasm back end",
        "as --backend says",
        "2-64-64-1",
        "25 %",
        "1 500 of 6 000",
        "0.2500",
        "87.5 %",
        "4 321 steps/s",
        "13 s",
      ])
        expect(text).toContain(part);
    });
  }

  it("leaves the chart out where there is no room", () => {
    expect(frame(scene, progress, square, { columns: 80, rows: 18 }, inkFor(1)).join("\n")).not.toContain(
      "log scale",
    );
  });

  it("says when a terminal is too small", () => {
    expect(pictureRows(40, 24)).toBeLessThan(10);
    expect(pictureRows(80, 10)).toBeLessThan(10);
  });
});

describe("words", () => {
  it("groups digits", () => {
    expect([7, 1000, 1234567].map(grouped)).toEqual(["7", "1 000", "1 234 567"]);
  });

  it("reports in one line", () => {
    expect(progressLine(progress)).toBe(
      "step 1 500 of 6 000   loss 0.2500   accuracy  87.5 %   4 321 steps/s   13 s left",
    );
  });

  it("sums up", () => {
    const text = summary({ progress, computing: 2, elapsed: 18 }, 256, 1000, "native");
    expect(text).toContain("Done in 18.0 s. The updates took 2.00 s of it");
    expect(text).toContain("87.5 % of 1 000 points");
    expect(text).toContain("REINS_BACKEND=wasm npm start");
  });
});
