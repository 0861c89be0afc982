import { apply } from "../apply.ts";
import { fail } from "../errors.ts";
import { broadcastShapes, show } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { mul } from "./arithmetic.ts";
import { requireType } from "./check.ts";
import { broadcastTo, expandDims, pad, permute, reshape, windows } from "./movement.ts";
import { sum } from "./reduce.ts";

/** The matrix product of the last two axes; leading axes broadcast. Vectors are rows on the left and columns on the right. */
export function matmul(a: Tensor, b: Tensor): Tensor {
  requireType(a, ["f32"], "matmul");
  requireType(b, ["f32"], "matmul");
  if (a.rank === 0 || b.rank === 0)
    fail("matmul", `needs at least one axis on both sides, but got ${show(a.shape)} and ${show(b.shape)}.`);
  const left = a.rank === 1 ? expandDims(a, 0) : a;
  const right = b.rank === 1 ? expandDims(b, 1) : b;
  const [m, k] = left.shape.slice(-2);
  const [k2, n] = right.shape.slice(-2);
  if (k !== k2)
    fail(
      "matmul",
      `${show(a.shape)} and ${show(b.shape)} cannot be multiplied: the left side has ${k} columns and the right side ${k2} rows.`,
    );
  const batch =
    broadcastShapes(left.shape.slice(0, -2), right.shape.slice(0, -2)) ??
    fail("matmul", `the leading axes of ${show(a.shape)} and ${show(b.shape)} cannot be broadcast.`);
  let y: Tensor;
  if (right.rank === 2 && left.rank > 2) {
    // One tall product instead of many small ones.
    y = reshape(product(reshape(left, [-1, k]), right), [...batch, m, n]);
  } else {
    y = product(broadcastTo(left, [...batch, m, k]), broadcastTo(right, [...batch, k, n]));
  }
  const shape = [...batch, ...(a.rank === 1 ? [] : [m]), ...(b.rank === 1 ? [] : [n])];
  return reshape(y, shape);
}

/** @internal Equal leading axes, ranks of at least two. */
export function product(a: Tensor, b: Tensor): Tensor {
  const shape = [...a.shape.slice(0, -1), b.shape[b.rank - 1]];
  return apply("matmul", [a, b], {}, shape, "f32");
}

/** The dot product of two vectors. */
export function dot(a: Tensor, b: Tensor): Tensor {
  return sum(mul(a, b));
}

/** The outer product of two vectors. */
export function outer(a: Tensor, b: Tensor): Tensor {
  return mul(expandDims(a, 1), expandDims(b, 0));
}

/** Einstein summation over one or two tensors: `einsum("bij,bkj->bik", a, b)`. */
export function einsum(formula: string, ...operands: Tensor[]): Tensor {
  const [left, right] = formula.replace(/\s/g, "").split("->");
  const inputs = left.split(",");
  if (inputs.length !== operands.length)
    fail("einsum", `"${formula}" names ${inputs.length} operands, but ${operands.length} were given.`);
  const extents = new Map<string, number>();
  inputs.forEach((letters, i) => {
    if (letters.length !== operands[i].rank || new Set(letters).size !== letters.length) {
      fail(
        "einsum",
        `"${letters}" does not match ${show(operands[i].shape)}: use one letter per axis, each only once.`,
      );
    }
    [...letters].forEach((l, axis) => {
      const d = operands[i].shape[axis];
      const known = extents.get(l) ?? d;
      if (known !== d)
        fail(
          "einsum",
          `"${l}" is ${known} in one operand and ${d} in another (${operands.map((o) => show(o.shape)).join(", ")}).`,
        );
      extents.set(l, d);
    });
  });
  const all = left.replace(/,/g, "");
  const output =
    right ??
    [...new Set(all)]
      .filter((l) => all.split(l).length === 2)
      .sort()
      .join("");
  for (const l of output)
    if (!extents.has(l)) fail("einsum", `"${l}" of the result does not occur in any operand.`);
  return operands.length === 1
    ? contractOne(inputs[0], operands[0], output)
    : contract(inputs, operands, output, extents);
}

/** Sums the axes that are missing in the result and reorders the others. */
function contractOne(letters: string, x: Tensor, output: string): Tensor {
  const summed = [...letters].flatMap((l, i) => (output.includes(l) ? [] : [i]));
  const kept = [...letters].filter((l) => output.includes(l));
  const y = summed.length ? sum(x, summed) : x;
  return permute(
    y,
    [...output].map((l) => kept.indexOf(l)),
  );
}

function contract(
  inputs: string[],
  operands: Tensor[],
  output: string,
  extents: Map<string, number>,
): Tensor {
  if (operands.length > 2) {
    const later = inputs.slice(2).join("") + output;
    const middle = [...new Set(inputs[0] + inputs[1])].filter((l) => later.includes(l)).join("");
    const first = contract(inputs.slice(0, 2), operands.slice(0, 2), middle, extents);
    return contract([middle, ...inputs.slice(2)], [first, ...operands.slice(2)], output, extents);
  }
  const [p, q] = inputs;
  // Axes that are in only one operand and not in the result are summed first.
  const a = [...p].filter((l) => output.includes(l) || q.includes(l)).join("");
  const b = [...q].filter((l) => output.includes(l) || p.includes(l)).join("");
  const x = contractOne(p, operands[0], a);
  const y = contractOne(q, operands[1], b);
  const batch = [...a].filter((l) => b.includes(l) && output.includes(l));
  const inner = [...a].filter((l) => b.includes(l) && !output.includes(l));
  const rows = [...a].filter((l) => !b.includes(l));
  const columns = [...b].filter((l) => !a.includes(l));
  const count = (ls: string[]) => ls.reduce((n, l) => n * extents.get(l)!, 1);
  const order = (t: Tensor, letters: string, ls: string[], shape: number[]) =>
    reshape(
      permute(
        t,
        ls.map((l) => letters.indexOf(l)),
      ),
      shape,
    );
  const [nb, nr, ni, nc] = [batch, rows, inner, columns].map(count);
  const z = product(
    order(x, a, [...batch, ...rows, ...inner], [nb, nr, ni]),
    order(y, b, [...batch, ...inner, ...columns], [nb, ni, nc]),
  );
  const letters = [...batch, ...rows, ...columns];
  return permute(
    reshape(
      z,
      letters.map((l) => extents.get(l)!),
    ),
    [...output].map((l) => letters.indexOf(l)),
  );
}

/** Stride, padding and dilation of a convolution. */
export interface ConvOptions {
  /** Distance between windows (default 1). Larger values give a smaller result. */
  stride?: number;
  /** Zeros around the input on every side. */
  padding?: number;
  /** Distance between the taps of the kernel. */
  dilation?: number;
}

/** 2D convolution: `x` is [batch, channels, height, width], `w` is [out, channels, kernel height, kernel width]. */
export function conv2d(
  x: Tensor,
  w: Tensor,
  { stride = 1, padding = 0, dilation = 1 }: ConvOptions = {},
): Tensor {
  if (x.rank !== 4 || w.rank !== 4 || x.shape[1] !== w.shape[1]) {
    fail(
      "conv2d",
      `needs x [batch, channels, height, width] and w [out, channels, height, width], but got ${show(x.shape)} and ${show(w.shape)}.`,
    );
  }
  const [n, c] = x.shape;
  const [o, , kh, kw] = w.shape;
  const p: [number, number] = [padding, padding];
  const padded = pad(x, [[0, 0], [0, 0], p, p]);
  const rows = windows(padded, 2, kh, stride, dilation); // [n, c, oh, kh, w]
  const patches = windows(rows, 4, kw, stride, dilation); // [n, c, oh, kh, ow, kw]
  const [, , oh, , ow] = patches.shape;
  const columns = reshape(permute(patches, [0, 2, 4, 1, 3, 5]), [n * oh * ow, c * kh * kw]);
  const y = matmul(columns, permute(reshape(w, [o, c * kh * kw]), [1, 0]));
  return permute(reshape(y, [n, oh, ow, o]), [0, 3, 1, 2]);
}

/** 1D convolution: `x` is [batch, channels, length], `w` is [out, channels, kernel]. */
export function conv1d(
  x: Tensor,
  w: Tensor,
  { stride = 1, padding = 0, dilation = 1 }: ConvOptions = {},
): Tensor {
  if (x.rank !== 3 || w.rank !== 3 || x.shape[1] !== w.shape[1]) {
    fail(
      "conv1d",
      `needs x [batch, channels, length] and w [out, channels, kernel], but got ${show(x.shape)} and ${show(w.shape)}.`,
    );
  }
  const padded = pad(x, [
    [0, 0],
    [0, 0],
    [padding, padding],
  ]);
  const patches = windows(padded, 2, w.shape[2], stride, dilation); // [n, c, ol, k]
  const [n, c, ol, k] = patches.shape;
  const columns = reshape(permute(patches, [0, 2, 1, 3]), [n * ol, c * k]);
  const y = matmul(columns, permute(reshape(w, [w.shape[0], c * k]), [1, 0]));
  return permute(reshape(y, [n, ol, w.shape[0]]), [0, 2, 1]);
}
