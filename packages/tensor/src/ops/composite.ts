import { fail } from "../errors.ts";
import { sameShape, show } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { customGradient, stopGradient } from "../transform/custom.ts";
import {
  abs,
  add,
  div,
  erf,
  exp,
  expm1,
  gt,
  le,
  log,
  log1p,
  lt,
  maximum,
  mul,
  neg,
  rsqrt,
  sigmoid,
  sign,
  square,
  sub,
  tanh,
  where,
} from "./arithmetic.ts";
import { axisOf, type TensorLike } from "./check.ts";
import { gather } from "./indexing.ts";
import { expandDims, reshape } from "./movement.ts";
import { max, mean, sum } from "./reduce.ts";

/** One function per setting, created once: nodes are equal only if their gradient rules are the same function. */
export function perSetting<F>(make: (setting: number) => F): (setting: number) => F {
  const made = new Map<number, F>();
  return (setting) => {
    let f = made.get(setting);
    if (f === undefined) made.set(setting, (f = make(setting)));
    return f;
  };
}

/** x · sigmoid(x), also called swish. */
export function silu(x: Tensor): Tensor {
  return mul(x, sigmoid(x));
}

/** The Gaussian error linear unit; "tanh" is the usual approximation (GPT-2), "erf" is exact. */
export function gelu(x: Tensor, form: "tanh" | "erf" = "tanh"): Tensor {
  if (form === "erf") return mul(mul(x, 0.5), add(erf(mul(x, Math.SQRT1_2)), 1));
  return geluTanh(x);
}

const c = Math.sqrt(2 / Math.PI);
/** For large inputs the tanh is constant, and an overflowing square times its slope of 0 would be NaN. */
const near = (x: Tensor) => where(lt(square(x), 100), x, 0);
const slopeOfInner = (x: Tensor) => mul(add(mul(square(x), 3 * 0.044715), 1), c);
/** tanh u, with u = c·(x + 0.044715 x³). */
const geluGate = customGradient(
  (x: Tensor) => tanh(mul(mul(x, c), add(mul(square(x), 0.044715), 1))),
  (g, t, x) => [mul(g, mul(sub(1, square(t)), slopeOfInner(near(x))))],
);
/** x·σ(2u) equals 0.5·x·(1 + tanh u); its derivative reuses the tanh. */
const geluTanh = customGradient(
  (x: Tensor) => mul(mul(x, 0.5), add(geluGate(x), 1)),
  (g, _, x) => {
    const t = geluGate(x);
    const n = near(x);
    const slope = mul(mul(sub(1, square(t)), mul(n, 0.5)), slopeOfInner(n));
    return [mul(g, add(mul(add(t, 1), 0.5), slope))];
  },
);

/** log(1 + eˣ), without overflow. */
export function softplus(x: Tensor): Tensor {
  return softplusOf(x);
}
const softplusOf = customGradient(
  (x: Tensor) => add(maximum(x, 0), log1p(exp(neg(abs(x))))),
  (g, _, x) => [mul(g, sigmoid(x))],
);

/** The logarithm of the sigmoid, without overflow: the log-probability of a positive label given a logit. */
export function logSigmoid(x: Tensor): Tensor {
  return neg(softplus(neg(x)));
}

/** The exponential linear unit: x above 0, `alpha` · (eˣ − 1) below. */
export function elu(x: Tensor, alpha = 1): Tensor {
  const positive = gt(x, 0);
  // The other branch must not overflow; `minimum` would split the gradient at 0.
  return where(positive, x, mul(expm1(where(positive, 0, x)), alpha));
}

/** x above 0, and `slope` · x below, so that units do not die. */
export function leakyRelu(x: Tensor, slope = 0.01): Tensor {
  return where(gt(x, 0), x, mul(x, slope));
}

/** x · tanh(softplus(x)). */
export function mish(x: Tensor): Tensor {
  return mul(x, tanh(softplus(x)));
}

/** log Σ eˣ along an axis, without overflow. */
export function logSumExp(x: Tensor, axis = -1, keepDims = false): Tensor {
  const a = axisOf(axis, x.rank, "logSumExp");
  // A row of only -∞, or with ∞, has no finite maximum to subtract.
  const top = stopGradient(max(x, { axis: a, keepDims: true }));
  const shift = where(lt(abs(top), Infinity), top, 0);
  const y = add(log(sum(exp(sub(x, shift)), { axis: a, keepDims: true })), shift);
  return keepDims
    ? y
    : reshape(
        y,
        x.shape.filter((_, i) => i !== a),
      );
}

/** Exponentials normalised to sum to 1 along an axis. */
export function softmax(x: Tensor, axis = -1): Tensor {
  return softmaxOf(axisOf(axis, x.rank, "softmax"))(x);
}
const softmaxOf = perSetting((axis: number) =>
  customGradient(
    (x: Tensor) => {
      const e = exp(sub(x, max(x, { axis, keepDims: true })));
      return div(e, sum(e, { axis, keepDims: true }));
    },
    (g, y) => [mul(y, sub(g, sum(mul(g, y), { axis, keepDims: true })))],
  ),
);

/** The logarithm of {@link softmax}. */
export function logSoftmax(x: Tensor, axis = -1): Tensor {
  return logSoftmaxOf(axisOf(axis, x.rank, "logSoftmax"))(x);
}
const logSoftmaxOf = perSetting((axis: number) =>
  customGradient(
    (x: Tensor) => {
      const shifted = sub(x, max(x, { axis, keepDims: true }));
      return sub(shifted, log(sum(exp(shifted), { axis, keepDims: true })));
    },
    (g, y) => [sub(g, mul(exp(y), sum(g, { axis, keepDims: true })))],
  ),
);

/** Zero mean and unit variance along the last axis, then scale and shift. */
export function layerNorm(x: Tensor, scale?: Tensor, shift?: Tensor, epsilon = 1e-5): Tensor {
  const y = normalise(epsilon)(x);
  const scaled = scale ? mul(y, scale) : y;
  return shift ? add(scaled, shift) : scaled;
}
const normalise = perSetting((epsilon: number) =>
  customGradient(
    (x: Tensor) => {
      const centred = sub(x, mean(x, { axis: -1, keepDims: true }));
      return mul(centred, rsqrt(add(mean(square(centred), { axis: -1, keepDims: true }), epsilon)));
    },
    (g, y, x) => {
      const centred = sub(x, mean(x, { axis: -1, keepDims: true }));
      const scale = rsqrt(add(mean(square(centred), { axis: -1, keepDims: true }), epsilon));
      const inner = sub(
        sub(g, mean(g, { axis: -1, keepDims: true })),
        mul(y, mean(mul(g, y), { axis: -1, keepDims: true })),
      );
      return [mul(inner, scale)];
    },
  ),
);

/** Unit root mean square along the last axis, then scale. */
export function rmsNorm(x: Tensor, scale?: Tensor, epsilon = 1e-6): Tensor {
  const y = mul(x, rsqrt(add(mean(square(x), { axis: -1, keepDims: true }), epsilon)));
  return scale ? mul(y, scale) : y;
}

/** The mean negative log-probability of the classes `labels` (i32) under `logits` (classes last). */
export function crossEntropy(logits: Tensor, labels: Tensor): Tensor {
  return neg(mean(pick(logSoftmax(logits), labels)));
}

/** The entry of the last axis at each index (i32). */
export function pick(x: Tensor, indices: Tensor): Tensor {
  if (!sameShape(indices.shape, x.shape.slice(0, -1)))
    fail("pick", `needs one index per row of ${show(x.shape)}, but got ${show(indices.shape)}.`);
  return reshape(gather(x, expandDims(indices, -1), -1), indices.shape);
}

/** The mean squared difference over all elements. */
export function mseLoss(x: Tensor, y: TensorLike): Tensor {
  return mean(square(sub(x, y)));
}

/** Quadratic near zero, linear beyond `delta`. */
export function huber(x: Tensor, delta = 1): Tensor {
  return huberOf(delta)(x);
}
const huberOf = perSetting((delta: number) =>
  customGradient(
    (x: Tensor) => {
      const a = abs(x);
      return where(le(a, delta), mul(square(x), 0.5), mul(sub(a, delta / 2), delta));
    },
    // Differentiated, the branch that is not taken would give 0 · ∞ at infinity.
    (g, _, x) => [mul(g, where(le(abs(x), delta), x, mul(sign(x), delta)))],
  ),
);

/** The mean binary cross-entropy of targets in [0, 1]. */
export function bceWithLogits(logits: Tensor, targets: TensorLike): Tensor {
  return mean(sub(softplus(logits), mul(logits, targets)));
}
