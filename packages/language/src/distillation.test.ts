import { compile, sum, tensor, valueAndGradient } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { teacherDivergence } from "./distillation.ts";

const teacher = tensor([
  [1, -0.5, 0.25, 2],
  [0, 3, -1, 0.5],
]);
const student = tensor([
  [0.3, 0.1, -1.2, 0.7],
  [2, -0.4, 0.6, 0],
]);

/** Values and gradients in the student's logits, computed by PyTorch 2.13 in f64 from the definitions. */
const expected = [
  [
    "forward-kl",
    1,
    [0.161674582, 2.126810491],
    [
      0.056427406, 0.181140057, -0.04387715, -0.193690313, 0.635761845, -0.807821474, 0.151527103,
      0.020532526,
    ],
  ],
  [
    "forward-kl",
    2,
    [0.060273102, 0.650536657],
    [
      0.007653143, 0.063703742, -0.024602013, -0.046754872, 0.163054666, -0.234418168, 0.073513843,
      -0.002150342,
    ],
  ],
  [
    "reverse-kl",
    1,
    [0.222929542, 2.12348331],
    [
      -0.000152763, 0.301076024, -0.047391898, -0.253531363, 0.427377938, -0.293879052, 0.038409644,
      -0.171908529,
    ],
  ],
  [
    "reverse-kl",
    2,
    [0.069046196, 0.591291767],
    [
      -0.001721473, 0.080160685, -0.025425116, -0.053014097, 0.146307857, -0.143687407, 0.049724345,
      -0.052344795,
    ],
  ],
  [
    "js",
    1,
    [0.035933846, 0.358488077],
    [
      0.009646551, 0.041243111, -0.008943349, -0.041946314, 0.068799488, -0.076805414, 0.015442615,
      -0.007436689,
    ],
  ],
  [
    "js",
    2,
    [0.013049971, 0.124607145],
    [
      0.001119905, 0.014057976, -0.005132527, -0.010045355, 0.028708632, -0.03695789, 0.012293609,
      -0.004044351,
    ],
  ],
] as const;

const near = (found: ArrayLike<number>, wanted: readonly number[]) =>
  wanted.forEach((x, i) => expect(found[i], `number ${i}`).toBeCloseTo(x, 6));

describe("the divergence from a teacher", () => {
  it.each(expected)(
    "is PyTorch's, with its gradient: %s at temperature %d",
    (divergence, temperature, values, gradient) => {
      const { aux, gradient: found } = compile((logits: typeof student) =>
        valueAndGradient((s: typeof student) => {
          const each = teacherDivergence(teacher, s, { divergence, mixture: 0.3, temperature });
          return [sum(each), each] as const;
        })(logits),
      )(student);
      near(aux.data, values);
      near(found.data, gradient);
    },
  );

  it("is 0 between equal distributions, and finite between opposite ones", () => {
    const sure = tensor([[200, -200]]);
    const other = tensor([[-200, 200]]);
    for (const divergence of ["forward-kl", "reverse-kl", "js"] as const) {
      const options = { divergence, mixture: 0.5, temperature: 1 };
      expect(teacherDivergence(teacher, teacher, options).data[0]).toBeCloseTo(0, 6);
      const far = teacherDivergence(sure, other, options).data[0];
      // At most log 2 for js.
      expect(far).toBeCloseTo(divergence === "js" ? Math.log(2) : 400, 3);
    }
  });
});
