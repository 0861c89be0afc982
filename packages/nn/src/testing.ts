import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  add,
  leaves,
  mul,
  sum,
  type Tensor,
  type Tree,
  tensor,
  treeMap,
  unflattenTree,
  valueAndGradient,
} from "@reins/tensor";
import { expect } from "vitest";

/** The folder of reference values: REINS_FIXTURES, or `fixtures` at the project's root. */
export function fixture(path: string): string {
  const folder = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../fixtures", import.meta.url));
  const file = `${folder}/${path}`;
  if (!existsSync(file))
    throw new Error(`${file} does not exist. Set REINS_FIXTURES to the folder of reference values.`);
  return file;
}

interface Array_ {
  shape: number[];
  data: number[];
}
export interface TorchCase {
  op: string;
  inputs: Array_[];
  output: Array_;
  upstream: Array_;
  grads: (Array_ | null)[];
}
export interface TorchOptimiser {
  optimizer?: string;
  A: Array_;
  weights: Array_[];
  clip_grad_norm?: number;
  grad: Array_;
  norm: number;
  after: Array_;
}

/** Values and gradients of PyTorch. */
export function torch(): { cases: TorchCase[]; optimizers: TorchOptimiser[] } {
  return JSON.parse(readFileSync(fixture("torch/operations.json"), "utf8"));
}

export const fromTorch = (a: Array_, dtype: "f32" | "i32" = "f32") =>
  tensor(a.data, { shape: a.shape, dtype });

/** Expects every element to be within `tolerance`, relative to numbers above 1. */
export function expectClose(
  actual: Tensor | ArrayLike<number>,
  expected: Tensor | ArrayLike<number>,
  tolerance = 1e-5,
): void {
  const list = (x: Tensor | ArrayLike<number>) =>
    Array.from("data" in (x as object) ? (x as Tensor).data : (x as ArrayLike<number>));
  const [a, e] = [list(actual), list(expected)];
  expect(a.length).toBe(e.length);
  a.forEach((v, i) => {
    const error = Math.abs(v - e[i]) / Math.max(1, Math.abs(e[i]));
    if (!(error <= tolerance))
      expect.fail(
        `element ${i} is ${v}; expected ${e[i]} (error ${error.toExponential(1)}, tolerance ${tolerance})`,
      );
  });
}

/** Runs every PyTorch case of an operation in the folder: its value, and the gradient of each input. An empty folder fails. */
export function expectTorch(
  op: string,
  f: (...inputs: Tensor[]) => Tensor,
  options: { integers?: readonly number[]; tolerance?: number } = {},
): void {
  const all = torch().cases;
  expect(all.length, "cases in the folder").toBeGreaterThan(0);
  const cases = all.filter((c) => c.op === op);
  for (const c of cases) {
    const inputs = c.inputs.map((x, i) => fromTorch(x, options.integers?.includes(i) ? "i32" : "f32"));
    const floats = inputs.filter((t) => t.dtype === "f32");
    const { gradient, aux } = valueAndGradient((xs: Tensor[]) => {
      let k = 0;
      const y = f(...inputs.map((t) => (t.dtype === "f32" ? xs[k++] : t)));
      return [sum(mul(y, fromTorch(c.upstream))), y] as const;
    })(floats);
    expect(aux.shape).toEqual(c.output.shape);
    expectClose(aux, c.output.data, options.tolerance ?? 2e-5);
    for (const [i, g] of c.grads.filter((x) => x !== null).entries())
      expectClose(gradient[i], g.data, options.tolerance ?? 1e-4);
  }
}

/** Compares the gradient of `f` with central differences along a few directions. */
export function expectGradient<T extends Tree>(
  f: (x: T) => Tensor,
  at: T,
  { step = 1e-2, tolerance = 2e-2 } = {},
): void {
  const { gradient } = valueAndGradient(f as (x: T) => Tensor)(at);
  for (let d = 0; d < 3; d++) {
    const direction = unflattenTree(
      at,
      leaves(at).map((t, k) =>
        tensor(
          Float32Array.from(t.data, (_, i) => Math.sin(12.9898 * (i + 1) + 78.233 * (k + 1) + d * 37.7)),
          { shape: t.shape },
        ),
      ),
    );
    const along = (s: number) =>
      f(treeMap((p, q) => (p.dtype === "f32" ? add(p, mul(q, s)) : p), at, direction)).item();
    const numeric = (along(step) - along(-step)) / (2 * step);
    const products = treeMap((g, q) => sum(mul(g, q)), gradient, direction);
    const exact = leaves(products).reduce((n, p) => n + p.item(), 0);
    const error = Math.abs(exact - numeric) / Math.max(1, Math.abs(numeric));
    if (!(error <= tolerance))
      expect.fail(`the gradient along direction ${d} is ${exact}, but differences give ${numeric}`);
  }
}
