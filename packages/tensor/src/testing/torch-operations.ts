import type { Tensor } from "../index.ts";
import * as o from "../index.ts";

/** A case's settings, depending on the operation. */
export interface TorchAttributes {
  readonly axis?: number;
  readonly stride?: number;
  readonly padding?: number;
  readonly dilation?: number;
}

/** How to compute an operation, and which inputs are indices (i32) or are not differentiated. */
export interface TorchOperation {
  readonly compute: (inputs: Tensor[], attributes: TorchAttributes) => Tensor;
  readonly indices?: readonly number[];
}

const unary = (f: (x: Tensor) => Tensor): TorchOperation => ({ compute: ([x]) => f(x) });
const binary = (f: (x: Tensor, y: Tensor) => Tensor): TorchOperation => ({ compute: ([x, y]) => f(x, y) });
const along = (f: (x: Tensor, axis: number) => Tensor): TorchOperation => ({
  compute: ([x], { axis }) => f(x, axis!),
});
const log2π = Math.log(2 * Math.PI);

/** log N(x; mu, exp(logStd)²), elementwise. */
function normalLogProb(x: Tensor, mu: Tensor, logStd: Tensor): Tensor {
  const z = o.div(o.sub(x, mu), o.exp(logStd));
  return o.sub(o.sub(o.mul(o.square(z), -0.5), logStd), log2π / 2);
}

/** Recurrent layers by a scan over the first axis; `step` maps (state, W·x + b, U·h + c) to the next state, whose first entry is h. */
function recurrent(
  inputs: Tensor[],
  states: number,
  step: (state: Tensor[], fromX: Tensor, fromH: Tensor) => Tensor[],
): Tensor {
  const [x, wx, wh, bx, bh] = inputs;
  const zero = () => o.zeros([x.shape[1], wh.shape[1]]);
  const body = (state: Tensor[], { x: now }: { x: Tensor }): readonly [Tensor[], Tensor] => {
    const fromX = o.add(o.matmul(now, o.transpose(wx)), bx);
    const next = step(state, fromX, o.add(o.matmul(state[0], o.transpose(wh)), bh));
    return [next, next[0]];
  };
  return o.scan(body, Array.from({ length: states }, zero), { x }).ys;
}

const parts = (x: Tensor, count: number) => o.split(x, new Array<number>(count).fill(x.shape[1] / count), 1);

/** Every operation of `torch/operations.json`, written with this package. */
export const torchOperations: Readonly<Record<string, TorchOperation>> = {
  add: binary(o.add),
  sub: binary(o.sub),
  mul: binary(o.mul),
  "div(a, |b|+0.5)": binary((a, b) => o.div(a, o.add(o.abs(b), 0.5))),
  maximum: binary(o.maximum),
  minimum: binary(o.minimum),
  exp: unary(o.exp),
  tanh: unary(o.tanh),
  sigmoid: unary(o.sigmoid),
  relu: unary(o.relu),
  silu: unary(o.silu),
  gelu_erf: unary((x) => o.gelu(x, "erf")),
  gelu_tanh: unary((x) => o.gelu(x, "tanh")),
  softplus: unary(o.softplus),
  elu: unary(o.elu),
  leaky_relu_0_01: unary((x) => o.leakyRelu(x, 0.01)),
  sin: unary(o.sin),
  cos: unary(o.cos),
  abs: unary(o.abs),
  neg: unary(o.neg),
  square: unary(o.square),
  erf: unary(o.erf),
  logsigmoid: unary(o.logSigmoid),
  mish: unary(o.mish),
  log: unary(o.log),
  sqrt: unary(o.sqrt),
  rsqrt: unary(o.rsqrt),
  reciprocal: unary(o.reciprocal),
  pow_2_5: unary((x) => o.pow(x, 2.5)),
  log1p: unary(o.log1p),
  "clamp(-0.5,0.7)": unary((x) => o.clamp(x, -0.5, 0.7)),
  "where(a>0,a,b)": binary((a, b) => o.where(o.gt(a, 0), a, b)),
  sum: along((x, axis) => o.sum(x, axis)),
  mean: along((x, axis) => o.mean(x, axis)),
  logsumexp: along((x, axis) => o.logSumExp(x, axis)),
  softmax: along((x, axis) => o.softmax(x, axis)),
  log_softmax: along((x, axis) => o.logSoftmax(x, axis)),
  cumsum: along((x, axis) => o.cumsum(x, axis)),
  max: along((x, axis) => o.max(x, axis)),
  min: along((x, axis) => o.min(x, axis)),
  var_unbiased: along((x, axis) => o.variance(x, axis, 1)),
  std_biased: along((x, axis) => o.std(x, axis)),
  argmax: along((x, axis) => o.argmax(x, axis)),
  norm2: along((x, axis) => o.norm(x, axis)),
  sum_all: unary((x) => o.sum(x)),
  mean_axes_0_2: unary((x) => o.mean(x, [0, 2])),
  matmul: binary(o.matmul),
  "linear x@w.T+b": { compute: ([x, w, b]) => o.add(o.matmul(x, o.transpose(w)), b) },
  conv2d: {
    compute: ([x, w, b], { stride, padding, dilation }) =>
      o.add(o.conv2d(x, w, { stride, padding, dilation }), o.reshape(b, [-1, 1, 1])),
  },
  conv1d: { compute: ([x, w], { stride, padding }) => o.conv1d(x, w, { stride, padding }) },
  max_pool2d_2: unary((x) => o.maxPool2d(x, 2)),
  avg_pool2d_2: unary((x) => o.avgPool2d(x, 2)),
  "embedding(ids, table)": { indices: [0], compute: ([ids, table]) => o.take(table, ids) },
  "gather axis 1": { indices: [1], compute: ([x, i]) => o.gather(x, i, 1) },
  "scatter_add axis 0 into zeros(6)": { indices: [0], compute: ([i, x]) => o.scatterAdd(i, x, 0, 6) },
  "layer_norm eps1e-5": { compute: ([x, scale, shift]) => o.layerNorm(x, scale, shift, 1e-5) },
  "rms_norm eps1e-6": { compute: ([x, scale]) => o.rmsNorm(x, scale, 1e-6) },
  causal_attention: { compute: ([q, k, v]) => o.attention(q, k, v, { causal: true }) },
  "concat axis 1": { compute: (xs) => o.concat(xs, 1) },
  "stack axis 0": { compute: (xs) => o.stack(xs, 0) },
  "slice [1:3, ::2]": unary((x) => o.slice(x, [[1, 3], { step: 2 }])),
  "transpose 0 2": unary((x) => o.transpose(x, 0, 2)),
  "pad last (1,2)": unary((x) =>
    o.pad(x, [
      [0, 0],
      [1, 2],
    ]),
  ),
  "flip axis 0": unary((x) => o.flip(x, 0)),
  "sort axis 1": unary((x) => o.sort(x, 1)),
  "topk 3 values": unary((x) => o.topK(x, 3).values),
  "prod axis 1": unary((x) => o.prod(x, 1)),
  "cumprod axis 0": unary((x) => o.cumprod(x, 0)),
  outer: binary(o.outer),
  "einsum bij,bkj->bik": binary((a, b) => o.einsum("bij,bkj->bik", a, b)),
  "cross_entropy mean": { indices: [1], compute: ([x, labels]) => o.crossEntropy(x, labels) },
  "bce_with_logits mean": binary(o.bceWithLogits),
  "huber delta1 mean": binary((a, b) => o.mean(o.huber(o.sub(a, b), 1))),
  "mse mean": binary(o.mseLoss),
  "kl_div sum p*(logp-logq) from logits": binary((a, b) => {
    const [p, q] = [o.logSoftmax(a), o.logSoftmax(b)];
    return o.sum(o.mul(o.exp(p), o.sub(p, q)));
  }),
  "normal log_prob(x; mu, log_std)": { compute: ([x, mu, logStd]) => normalLogProb(x, mu, logStd) },
  "normal entropy(log_std)": unary((logStd) => o.add(logStd, (1 + log2π) / 2)),
  "categorical entropy(logits)": unary((x) => {
    const p = o.logSoftmax(x);
    return o.neg(o.sum(o.mul(o.exp(p), p), -1));
  }),
  "tanh_normal log_prob(a; mu, log_std)": {
    compute: ([a, mu, logStd]) => {
      const u = o.mul(o.sub(o.log1p(a), o.log1p(o.neg(a))), 0.5);
      const slope = o.log(o.add(o.sub(1, o.square(a)), 1e-6));
      return o.sum(o.sub(normalLogProb(u, mu, logStd), slope), -1);
    },
  },
  "beta log_prob(x; a, b)": {
    compute: ([x, a, b]) => {
      const normaliser = o.sub(o.add(o.lgamma(a), o.lgamma(b)), o.lgamma(o.add(a, b)));
      return o.sub(o.add(o.mul(o.sub(a, 1), o.log(x)), o.mul(o.sub(b, 1), o.log1p(o.neg(x)))), normaliser);
    },
  },
  // The point is [0.2, 0.3, 0.5]; only the concentrations are an input of the case.
  "dirichlet log_prob": unary((a) => {
    const x = o.tensor([0.2, 0.3, 0.5]);
    return o.add(o.sum(o.mul(o.sub(a, 1), o.log(x))), o.sub(o.lgamma(o.sum(a)), o.sum(o.lgamma(a))));
  }),
  "gamma log_prob(x; a, b)": {
    compute: ([x, a, b]) =>
      o.sub(o.add(o.mul(a, o.log(b)), o.mul(o.sub(a, 1), o.log(x))), o.add(o.mul(b, x), o.lgamma(a))),
  },
  "lstm over time, gates i f g o, zero state": {
    compute: (inputs) =>
      recurrent(inputs, 2, ([, cell], fromX, fromH) => {
        const [i, f, g, out] = parts(o.add(fromX, fromH), 4);
        const next = o.add(o.mul(o.sigmoid(f), cell), o.mul(o.sigmoid(i), o.tanh(g)));
        return [o.mul(o.sigmoid(out), o.tanh(next)), next];
      }),
  },
  "gru over time, gates r z n, zero state": {
    compute: (inputs) =>
      recurrent(inputs, 1, ([h], fromX, fromH) => {
        const [rx, zx, nx] = parts(fromX, 3);
        const [rh, zh, nh] = parts(fromH, 3);
        const z = o.sigmoid(o.add(zx, zh));
        const n = o.tanh(o.add(nx, o.mul(o.sigmoid(o.add(rx, rh)), nh)));
        return [o.add(o.mul(o.sub(1, z), n), o.mul(z, h))];
      }),
  },
};
