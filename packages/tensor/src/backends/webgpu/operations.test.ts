import { expect, it } from "vitest";
import type { Operand } from "../../kernel/kernel.ts";
import { literal, operation } from "./operations.ts";

// WGSL lets a compiler assume that no number is NaN or infinite. The emulated adapter of the other tests does not use that, so the text is
// what can be tested.
const [x, y] = [1, 2].map((id): Operand => ({ id, type: "f32" }));
const constant = (value: number): Operand => ({ constant: value, type: "f32" });

it("comparisons of f32 are those of integers, and look for NaN in every operand that may be one", () => {
  expect(operation("lt", [x, y])).toBe("lt_f(v1, v2)");
  expect(operation("gt", [x, y])).toBe("lt_f(v2, v1)");
  expect(operation("eq", [x, x])).toBe("eq_f(v1, v1)");
  expect(operation("ne", [x, y])).toBe("!(eq_f(v1, v2))");
  expect(operation("ge", [x, constant(2)])).toBe("(key(v1) >= 1073741824i) & number(v1)");
  expect(operation("ne", [constant(-0), x])).toBe("!((0i == key(v1)) & number(v1))");
  expect(operation("max", [constant(0), y])).toBe("max_f(0f, v2)");
});

it("a product with 0 is NaN where the other factor is not finite", () => {
  expect(operation("mul", [x, constant(0)])).toBe("times_zero(v1, 0u)");
  expect(operation("mul", [constant(-0), y])).toBe("times_zero(v2, 0x80000000u)");
});

it("constants that a compiler would refuse or lose are written as bits", () => {
  const of = (...values: number[]) => values.map((v) => literal(v, "f32"));
  expect(of(Number.NaN, Infinity, -Infinity, -0)).toEqual([
    "special(0x7fc00000u)",
    "special(0x7f800000u)",
    "special(0xff800000u)",
    "special(0x80000000u)",
  ]);
  expect(of(0, 1.5, -1e-7)).toEqual(["0f", "1.5f", `(${Math.fround(-1e-7)}f)`]);
  expect(literal(-(2 ** 31), "i32")).toBe("i32(-2147483648)");
});

it("operations on constants alone are left to the GPU, where they may overflow", () => {
  expect(operation("mul", [constant(3e38), constant(10)])).toBe(
    "known_f(3e38f) * 10f".replace("3e38", `${Math.fround(3e38)}`),
  );
});
