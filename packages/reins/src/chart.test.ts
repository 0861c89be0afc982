import { describe, expect, it } from "vitest";
import { chart, resample } from "./chart.ts";

describe("chart", () => {
  it("averages many values and repeats few", () => {
    expect(resample([1, 3, 5, 7], 2)).toEqual([2, 6]);
    expect(resample([1, 2], 4)).toEqual([1, 1, 2, 2]);
    expect(resample([], 4)).toEqual([]);
  });

  it("is logarithmic: equal factors are equal steps", () => {
    expect(chart([1, 0.1, 0.01], 3, 2)).toEqual(["█  ", "██▁"]);
  });

  it("leaves room for what is to come", () => {
    expect(chart([1, 0.1], 4, 1, 0.5)).toEqual(["█▁  "]);
  });
});
