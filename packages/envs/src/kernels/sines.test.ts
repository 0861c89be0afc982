import { defaultRng } from "@reins/core/random";
import { expect, test } from "vitest";
import { exact } from "../libm/exact.ts";
import { column } from "./memory.ts";
import { Sines } from "./sines.ts";
import { SmallSines } from "./small-sines.ts";

/** An odd number of rows: the last pair has only one. */
const rows = 2001;

/** How many sines and cosines of these angles differ from the exact method. */
function wrong(of: Sines | SmallSines, values: readonly number[]): number {
  const angles = column(Float64Array, rows);
  angles.data.set(values);
  if (of instanceof Sines) of.of(angles, 0, values.length);
  else of.of(angles, values.length);
  const io = new Float64Array(2);
  let count = 0;
  values.forEach((x, row) => {
    io[0] = x;
    for (const [quarters, { data }] of [of.sines, of.cosines].entries()) {
      exact(io, 0, 1, quarters as 0 | 1);
      if (!Object.is(data[row], io[1])) count++;
    }
  });
  return count;
}

const uniform = (seed: number, end: number) => {
  const random = defaultRng(seed);
  return Array.from({ length: rows }, () => random.uniform(-end, end));
};

test("sines and cosines in rows are the exact ones", () => {
  const sines = new Sines(rows);
  for (const end of [1e-7, 0.01, 0.13, 0.3, 0.9, 2.5, 4, 30, 1e6, 1e8, 2e8, 1e20])
    expect([end, wrong(sines, uniform(3, end))]).toEqual([end, 0]);
  const edges = [
    0,
    -0,
    Number.NaN,
    Infinity,
    -Infinity,
    2 ** -26,
    -(2 ** -27),
    0.126,
    Math.PI / 4,
    Math.PI / 2,
  ];
  expect(wrong(sines, edges)).toBe(0);
});

test("cosines alone are equal, also from the middle on", () => {
  const [sines, alone] = [new Sines(rows), new Sines(rows)];
  const angles = column(Float64Array, rows);
  angles.data.set(uniform(5, 30));
  sines.of(angles, 0, rows);
  alone.cosinesOf(angles, 0, rows);
  expect(alone.cosines.data).toEqual(sines.cosines.data);
  angles.data.set(uniform(6, 30));
  sines.of(angles, 600, rows);
  alone.cosinesOf(angles, 600, rows);
  expect(alone.cosines.data).toEqual(sines.cosines.data);
});

test("so are those of small angles", () => {
  const sines = new SmallSines(rows);
  for (const end of [1e-9, 1e-4, 0.05, 0.1261, 0.2095])
    expect([end, wrong(sines, uniform(4, end))]).toEqual([end, 0]);
  expect(wrong(sines, [0, -0, 0.1259, -0.126, 0.2094])).toBe(0);
  expect(wrong(sines, [0.1])).toBe(0);
});
