import { add, mean, random, square, sub } from "@reins/tensor";
import { expect, it } from "vitest";
import { transformerBlock } from "./block.ts";
import { feedForward } from "./feedforward.ts";
import { rmsNorm } from "./norm.ts";

it("post-norm: each half is added and then normalised, as in the original transformer", () => {
  const x = random.normal(random.key(1), [2, 3, 8]);
  const block = transformerBlock({ width: 8, heads: 2, style: "llama", norms: "sum" });
  const params = block.init(random.key(2));
  const norm = rmsNorm(8);
  const forward = feedForward({ width: 8, hidden: 24, kind: "swiglu", bias: false });
  const y = norm.apply(params.norm1, add(x, block.attention.apply(params.attention, x)));
  const z = norm.apply(params.norm2, add(y, forward.apply(params.feedForward, y)));
  const made = block.apply(params, x);
  expect(Math.max(...sub(made, z).data.map(Math.abs))).toBeLessThan(1e-5);
  for (const power of mean(square(made), -1).data) expect(power).toBeCloseTo(1, 4);
});
