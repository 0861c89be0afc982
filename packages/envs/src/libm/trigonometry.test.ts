import { readFileSync } from "node:fs";
import { defaultRng } from "@reins/core/random";
import { expect, test } from "vitest";
import { exact } from "./exact.ts";
import { cosSingle, sinSingle } from "./single.ts";
import { cosOf, sinOf } from "./trigonometry.ts";

const io = new Float64Array(1);
const through = (f: (io: Float64Array, from: number, to: number) => void) => (x: number) => {
  io[0] = x;
  f(io, 0, 0);
  return io[0];
};
const [sin, cos] = [sinOf, cosOf].map(through);
const [exactSin, exactCos] = ([0, 1] as const).map((quarters) =>
  through((array, from, to) => exact(array, from, to, quarters)),
);

/** Angles with the GNU C library's sine and cosine, most of them incorrectly rounded in one of the two. */
const known: [x: number, sine: number, cosine: number][] = JSON.parse(
  readFileSync(new URL("../../fixtures/sines.json", import.meta.url), "utf8"),
);

test("sines and cosines are the C library's, including its rounding errors", () => {
  for (const [x, sine, cosine] of known) {
    expect([x, exactSin(x), exactCos(x)]).toEqual([x, sine, cosine]);
    expect([x, sin(x), cos(x)]).toEqual([x, sine, cosine]);
  }
});

test("the fast method equals the exact one", () => {
  const random = defaultRng(3);
  let wrong = 0;
  for (const end of [1e-7, 0.01, 0.13, 0.3, 0.9, 2.5, 4, 30, 1e6])
    for (let i = 0; i < 3000; i++) {
      const x = random.uniform(-end, end);
      if (sin(x) !== exactSin(x) || cos(x) !== exactCos(x)) wrong++;
    }
  expect(wrong).toBe(0);
});

test("a non-finite angle gives NaN, and a zero keeps its sign", () => {
  for (const x of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    expect([sin(x), cos(x)]).toEqual([Number.NaN, Number.NaN]);
  expect([sin(0), sin(-0), cos(-0)]).toEqual([0, -0, 1]);
});

test("in single precision they are within a unit in the last place", () => {
  for (let x = -0.75; x < 0.75; x += 0.001) {
    const single = Math.fround(x);
    expect(Math.abs(sinSingle(single) - Math.sin(single))).toBeLessThan(2 ** -24);
    expect(Math.abs(cosSingle(single) - Math.cos(single))).toBeLessThan(2 ** -23);
  }
});
