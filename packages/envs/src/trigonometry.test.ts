import { expect, test } from "vitest";
import { cos, cosNear, cosSmall, sinCos, sinNear, sinSmall } from "./trigonometry.ts";

const worst = (from: number, to: number, f: (x: number) => number) => {
  let error = 0;
  for (let i = 0; i <= 20000; i++) error = Math.max(error, Math.abs(f(from + ((to - from) * i) / 20000)));
  return error;
};

test("sines and cosines are right to the last places", () => {
  const out = new Float64Array(2);
  const last = 2 ** -52;
  const q = Math.PI / 4;
  expect(worst(-0.25, 0.25, (x) => sinSmall(x) - Math.sin(x))).toBeLessThan(last / 4);
  expect(worst(-0.25, 0.25, (x) => cosSmall(x) - Math.cos(x))).toBeLessThan(last * 1.5);
  expect(worst(-q, q, (x) => sinNear(x) - Math.sin(x))).toBeLessThan(last);
  expect(worst(-q, q, (x) => cosNear(x) - Math.cos(x))).toBeLessThan(last * 1.5);
  for (const end of [20, 9e4, 2e5]) {
    expect(worst(-end, end, (x) => cos(x) - Math.cos(x))).toBeLessThan(4 * last);
    const both = (x: number) => {
      sinCos(x, out, 0);
      return Math.max(Math.abs(out[0] - Math.sin(x)), Math.abs(out[1] - Math.cos(x)));
    };
    expect(worst(-end, end, both)).toBeLessThan(4 * last);
  }
  sinCos(Number.NaN, out, 0);
  expect([...out]).toEqual([Number.NaN, Number.NaN]);
});
