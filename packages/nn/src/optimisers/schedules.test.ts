import { compile, scalar, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { schedules } from "../index.ts";

const { constant, cosine, exponential, linear, piecewise, warmUp } = schedules;
const cases: [string, schedules.OptimiserSchedule, [x: number, y: number][]][] = [
  [
    "constant",
    constant(0.3),
    [
      [0, 0.3],
      [7, 0.3],
    ],
  ],
  [
    "linear",
    linear({ from: 1, to: 0 }),
    [
      [-1, 1],
      [0, 1],
      [0.25, 0.75],
      [1, 0],
      [2, 0],
    ],
  ],
  [
    "linear over steps",
    linear({ from: 0, to: 4, over: 100 }),
    [
      [25, 1],
      [100, 4],
      [200, 4],
    ],
  ],
  [
    "cosine",
    cosine({ from: 1, to: 0.2 }),
    [
      [0, 1],
      [0.5, 0.6],
      [1, 0.2],
      [3, 0.2],
      [1 / 3, 0.8],
    ],
  ],
  [
    "exponential",
    exponential({ from: 1, to: 0.01 }),
    [
      [0, 1],
      [0.5, 0.1],
      [1, 0.01],
    ],
  ],
  [
    "piecewise",
    piecewise([
      [0, 1],
      [10, 0.5],
      [20, 0.1],
    ]),
    [
      [-5, 1],
      [9.5, 1],
      [10, 0.5],
      [19, 0.5],
      [25, 0.1],
    ],
  ],
  [
    "warmUp",
    warmUp(linear({ from: 1, to: 0, over: 100 }), 10),
    [
      [0, 0],
      [5, 0.475],
      [10, 0.9],
      [50, 0.5],
    ],
  ],
];

describe.each(cases)("%s", (_, schedule, points) => {
  it("matches values computed by hand, for numbers and for tensors", () => {
    const traced = compile((x: Tensor) => schedule(x));
    for (const [x, y] of points) {
      expect(schedule(x)).toBeCloseTo(y, 6);
      expect(schedule(scalar(x)).item()).toBeCloseTo(y, 5);
      expect(traced(x).item()).toBeCloseTo(y, 5);
    }
  });
});

it("accepts integer steps", () =>
  expect(linear({ from: 0, to: 1, over: 4 })(tensor(1, { dtype: "i32" })).item()).toBeCloseTo(0.25, 6));
it("refuses invalid settings", () => {
  expect(() => linear({ from: 1, to: 0, over: 0 })).toThrow("must be above 0");
  expect(() => exponential({ from: 1, to: 0 })).toThrow("Use linear()");
  expect(() =>
    piecewise([
      [1, 1],
      [0, 2],
    ]),
  ).toThrow("ascending order");
});
