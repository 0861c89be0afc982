import { expect, test } from "vitest";
import { angles } from "./angles.ts";

const { sin, cos, atan2 } = angles;

test("angles agree with Math except for the last digits", () => {
  for (let i = -50; i <= 50; i++) {
    const angle = i * 0.1371;
    expect(sin(angle)).toBeCloseTo(Math.sin(angle), 15);
    expect(cos(angle)).toBeCloseTo(Math.cos(angle), 15);
    const [y, x] = [2 * Math.sin(angle), 2 * Math.cos(angle)];
    expect(atan2(y, x)).toBeCloseTo(Math.atan2(y, x), 14);
  }
  expect([atan2(0, 1), atan2(0, 0), atan2(1, 0)]).toEqual([0, 0, Math.PI / 2]);
  expect(atan2(0, -1)).toBeCloseTo(Math.PI, 15);
});
