import { expect, it } from "vitest";
import * as o from "../index.ts";
import { backends } from "../testing/backends.ts";

for (const backend of backends())
  it(`exp underflows to 0 for every argument below -104, and keeps denormals above (${backend})`, () => {
    const exp = o.compile((x: o.Tensor) => o.exp(x), { backend });
    const low = Array.from({ length: 3000 }, (_, i) => -104 - i * 0.05);
    const zeros = exp(o.tensor([...low, -1e30, Number.NEGATIVE_INFINITY])).data;
    expect([...zeros].every((y) => Object.is(y, 0))).toBe(true);
    const high = Array.from({ length: 300 }, (_, i) => -87.4 - i * 0.05);
    const denormals = exp(o.tensor(high)).data;
    high.forEach((x, i) => {
      expect(Math.abs(denormals[i] - Math.exp(Math.fround(x)))).toBeLessThanOrEqual(2 ** -148);
    });
  });
