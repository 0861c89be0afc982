import { type Builder, ref, type Value } from "../builder.ts";
import type { Arg } from "../program.ts";
import { args, type Maker } from "./maker.ts";
import { square } from "./movement.ts";

const sizes = [1, 2, 3, 4, 5, 7, 16, 17, 33];

/** A symmetric matrix, optionally positive definite. */
function symmetric(b: Builder, definite: boolean): Value {
  const x = square(b, 6);
  const n = x.tensor.shape[x.tensor.rank - 1];
  const flipped = b.emit("transpose", [ref(x)]);
  if (!flipped) return x;
  if (!definite) return b.emit("add", [ref(x), ref(flipped[0])])?.[0] ?? x;
  const product = b.emit("matmul", [ref(x), ref(flipped[0])]);
  const identity = b.emit("eye", [n]);
  const wide = identity && b.emit("mul", [ref(identity[0]), n + 1]);
  return (product && wide && b.emit("add", [ref(product[0]), ref(wide[0])])?.[0]) ?? x;
}

const image = (b: Builder, rank: 3 | 4) =>
  b.float(rank, rank, (t) => t.size > 0 && t.size < 800 && t.shape.slice(2).every((d) => d >= 2));

function convolution(rank: 3 | 4): Maker {
  return (b) => {
    let x = b.find((t) => t.dtype === "f32" && t.rank === rank && t.size > 0 && t.size < 800);
    x ??= b.source(
      [b.r.whole(1, 2), b.r.whole(1, 3), ...Array.from({ length: rank - 2 }, () => b.r.whole(2, 9))],
      "f32",
    );
    const taps = x.tensor.shape.slice(2).map((d) => b.r.whole(1, Math.min(3, d)));
    const w = b.source([b.r.whole(1, 3), x.tensor.shape[1], ...taps], "f32");
    return args(ref(x), ref(w), {
      stride: b.r.whole(1, 2),
      padding: b.r.whole(0, 1),
      dilation: b.r.chance(0.2) ? 2 : 1,
    });
  };
}
const pooling: Maker = (b) => {
  const x =
    b.must?.tensor.rank === 4
      ? image(b, 4)
      : b.source([b.r.whole(1, 2), b.r.whole(1, 2), b.r.whole(2, 8), b.r.whole(2, 8)], "f32");
  const size = b.r.whole(1, 2);
  return b.r.chance(0.5) ? args(ref(x), size) : args(ref(x), size, b.r.whole(1, 2));
};

export const tidyLinear: Readonly<Record<string, Maker>> = {
  matmul: (b) => {
    const x = b.float(1, 3);
    const k = x.tensor.shape[x.tensor.rank - 1];
    const other = b.find((t) => t.dtype === "f32" && t.rank === 2 && t.shape[0] === k);
    const lead = x.tensor.rank === 3 && b.r.chance(0.5) ? [x.tensor.shape[0]] : [];
    const y =
      other && b.r.chance(0.5)
        ? other
        : b.source(b.r.chance(0.2) ? [k] : [...lead, k, b.r.pick(sizes)], "f32");
    return args(ref(x), ref(y));
  },
  dot: (b) => {
    const x = b.float(1, 1);
    return args(ref(x), ref(b.source(x.tensor.shape, "f32")));
  },
  outer: (b) => args(ref(b.float(1, 1, (t) => t.size < 100)), ref(b.float(1, 1, (t) => t.size < 100))),
  einsum: (b) => {
    const x = b.float(2, 3);
    const s = x.tensor.shape;
    const n = b.r.pick(sizes);
    const formulas: [string, number[] | undefined][] =
      s.length === 2
        ? [
            ["ij->ji", undefined],
            ["ij->j", undefined],
            ["ij,jk->ik", [s[1], n]],
            ["ij,kj->ki", [n, s[1]]],
            ["ij,ij->i", s.slice()],
            ["ij,i->j", [s[0]]],
            ["ij,k->", [n]],
          ]
        : [
            ["bij->jb", undefined],
            ["bij,bkj->bik", [s[0], n, s[2]]],
            ["bij,jk->bki", [s[2], n]],
            ["bij,b->i", [s[0]]],
          ];
    const [formula, shape] = b.r.pick(formulas);
    return shape ? args(formula, ref(x), ref(b.source(shape, "f32"))) : args(formula, ref(x));
  },
  conv1d: convolution(3),
  conv2d: convolution(4),
  maxPool2d: pooling,
};

export const linear: Readonly<Record<string, Maker>> = {
  ...tidyLinear,
  avgPool2d: pooling,
  attention: (b) => {
    const q = b.float(2, 3, (t) => t.size > 0 && t.size < 1000);
    const lead = q.tensor.shape.slice(0, -2);
    const width = q.tensor.shape[q.tensor.rank - 1];
    const count = b.r.pick([1, 2, 5, 17]);
    const k = b.source([...lead, count, width], "f32");
    const v = b.source([...lead, count, b.r.pick([1, 3, 8])], "f32");
    const options: Record<string, Arg> = { causal: b.r.chance(0.4) };
    if (b.r.chance(0.3)) options.mask = ref(b.source([q.tensor.shape[q.tensor.rank - 2], count], "bool"));
    else if (b.r.chance(0.5)) options.lengths = ref(b.source(b.r.pick([lead, []]), "i32"));
    return args(ref(q), ref(k), ref(v), options);
  },
  cholesky: (b) => args(ref(b.r.chance(0.1) ? square(b, 6) : symmetric(b, true))),
  solve: (b) => {
    const x = symmetric(b, true);
    return args(ref(x), ref(b.source([...x.tensor.shape.slice(0, -1), b.r.whole(1, 3)], "f32")));
  },
  triangularSolve: (b) => {
    const x = symmetric(b, true);
    return args(
      ref(x),
      ref(b.source([...x.tensor.shape.slice(0, -1), b.r.whole(1, 3)], "f32")),
      b.r.chance(0.5),
    );
  },
  eigh: (b) => args(ref(symmetric(b, false))),
  svd: (b) =>
    args(
      ref(
        b.float(
          2,
          3,
          (t) =>
            t.shape[t.rank - 2] >= t.shape[t.rank - 1] &&
            t.shape[t.rank - 1] > 0 &&
            t.shape[t.rank - 1] < 6 &&
            t.size < 200,
        ),
      ),
    ),
};
