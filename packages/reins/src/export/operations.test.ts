import { box, type EnvSpec } from "@reins/core";
import * as t from "@reins/tensor";
import { type Tensor, zeros } from "@reins/tensor";
import * as ort from "onnxruntime-web";
import { describe, expect, it } from "vitest";
import { writeModule } from "./module/write-module.ts";
import { writeModel } from "./onnx/model.ts";
import { withRows } from "./rows.ts";
import { type ActModule, apart } from "./testing-export.ts";
import { type PolicyFunction, programFor } from "./trace.ts";

ort.env.wasm.numThreads = 1;

/** Functions of an observation [rows, 3, 4]. */
type Compute = (x: Tensor) => Tensor;

const program = (f: Compute) => {
  const act: PolicyFunction = (x) => ({ action: t.cast(f(x as Tensor), "f32"), state: {} });
  return programFor(act, (rows) => [zeros([rows, 3, 4]), {}, {}], new Map(), "test");
};

const whole = (x: Tensor, n = 4) => t.cast(t.floor(t.mul(t.abs(x), n)), "i32");
const weights = t.random.normal(t.random.key(4), [2, 5, 4]);
const table = t.random.normal(t.random.key(5), [1, 6, 4]);

const computed: { readonly [name: string]: Compute } = {
  "functions of numbers": (x) =>
    t.concat(
      [t.exp, t.expm1, t.tanh, t.sigmoid, t.sin, t.cos, t.erf, t.abs, t.sign, t.neg, t.relu].map((f) => f(x)),
      1,
    ),
  "functions of positive numbers": (x) => {
    const y = t.add(t.abs(x), 0.1);
    const all = [t.log, t.log1p, t.sqrt, t.rsqrt, t.reciprocal].map((f) => f(y));
    return t.concat([...all, t.pow(y, 1.5), t.mod(x, y), t.div(x, y)], 1);
  },
  roundings: (x) =>
    t.concat(
      [t.floor, t.ceil, t.trunc, t.round].map((f) => f(t.mul(x, 3))),
      1,
    ),
  "comparisons and choices": (x) => {
    const y = t.flip(x, 2);
    const all = [t.lt(x, y), t.le(x, y), t.gt(x, y), t.ge(x, y), t.eq(x, y), t.ne(x, y)];
    const logic = [
      t.and(all[0], t.gt(x, 0)),
      t.or(all[0], t.gt(x, 0)),
      t.xor(all[0], t.gt(x, 0)),
      t.not(all[0]),
    ];
    const chosen = t.where(all[0], all[2], t.gt(y, 0));
    return t.concat([...[...all, ...logic, chosen].map((b) => t.cast(b, "f32")), t.where(all[2], x, 2)], 1);
  },
  "whole numbers": (x) => {
    const [a, b] = [whole(x, 9), t.add(whole(t.flip(x, 1)), 1)];
    const all = [t.add(a, b), t.sub(a, b), t.mul(a, b), t.div(t.neg(a), b), t.mod(t.neg(a), b)];
    return t.cast(t.concat([...all, t.maximum(a, b), t.minimum(a, b), t.abs(t.neg(a))], 1), "f32");
  },
  "bytes and truth": (x) =>
    t.cast(t.cast(t.add(t.cast(whole(x), "u8"), t.cast(t.gt(x, 0), "u8")), "i32"), "f32"),
  "sums and extremes": (x) =>
    t.concat(
      [t.sum(x, 1), t.max(x, 1), t.min(x, 1), t.prod(x, 1), t.mean(x, 1)].map((y) => flatly(y)),
      1,
    ),
  "sums of several axes": (x) => {
    const both = { axis: [1, 2], keepDims: true };
    return flatly(t.concat([t.sum(x, both), t.max(x, both)], 1));
  },
  "whole sums": (x) => t.cast(t.concat([t.sum(whole(x), 2), t.max(whole(x), 2)], 1), "f32"),
  "positions of extremes": (x) => t.cast(t.concat([t.argmax(x, 2), t.argmin(x, 1)], 1), "f32"),
  sorting: (x) => t.concat([t.sort(x, 2), t.sort(x, 1, true), t.cast(t.argsort(x, 2), "f32")], 1),
  "running sums": (x) => t.concat([t.cumsum(x, 1), t.cumsum(x, 2), t.flip(t.cumsum(t.flip(x, 1), 1), 1)], 1),
  views: (x) =>
    t.concat(
      [t.permute(x, [0, 2, 1]), t.slice(x, [null, [0, 3], { start: 3, end: 0, step: -1 }])].map(flatly),
      1,
    ),
  "padding and windows": (x) =>
    flatly(
      t.windows(
        t.pad(
          x,
          [
            [0, 0],
            [1, 2],
            [0, 1],
          ],
          -0.5,
        ),
        2,
        2,
        2,
        1,
      ),
    ),
  widening: (x) =>
    t.add(
      t.reshape(x, [x.shape[0], 3, 1, 4]),
      t.reshape(t.iota([x.shape[0], 2], 1), [x.shape[0], 1, 2, 1]).cast("f32"),
    ),
  products: (x) => {
    const rows = x.shape[0];
    const many = t.matmul(
      t.reshape(t.broadcastTo(t.reshape(x, [1, rows * 3, 4]), [2, rows * 3, 4]), [2, rows * 3, 4]),
      t.permute(weights, [0, 2, 1]),
    );
    return t.reshape(t.permute(many, [1, 0, 2]), [rows, 30]);
  },
  "reading by position": (x) => {
    const found = t.gather(x, t.sub(whole(x, 3), 1), 2);
    return t.add(found, t.take(t.reshape(table, [6, 4]), t.cast(t.argmax(x, 2), "i32")));
  },
  "writing by position": (x) =>
    t.concat([t.scatter(x, t.argsort(x, 2), t.exp(x), 2), t.scatterAdd(whole(x, 2), x, 2, 4)], 1),
  "pieces by position": (x) => {
    const at = t.cast(t.argmax(t.sum(table, 2).reshape([6]), 0), "i32");
    const piece = t.dynamicSlice(table, t.sub(at, 1), 2, 1);
    return t.concat(
      [t.add(t.slice(x, [null, [0, 2]]), piece), t.dynamicUpdate(x, t.slice(x, [null, [1, 3]]), at, 1)],
      1,
    );
  },
  "one-hot": (x) => t.oneHot(t.argmax(x, 2), 4),
  "softmax and norms": (x) =>
    t.concat([t.softmax(x), t.logSoftmax(x), t.gelu(x), t.silu(x), t.softplus(x)], 1),
  loops: (x) => {
    const xs = t.permute(x, [1, 0, 2]);
    const body = (carry: { a: Tensor; b: Tensor }, y: Tensor): [{ a: Tensor; b: Tensor }, Tensor] => [
      {
        a: carry.b,
        b: t.add(
          t.tanh(t.add(carry.a, y)),
          t
            .slice(weights, [
              [0, 1],
              [0, 1],
            ])
            .reshape([1, 4]),
        ),
      },
      t.mul(carry.b, y),
    ];
    const start = { a: zeros([x.shape[0], 4]), b: t.slice(xs, [[0, 1]]).reshape([x.shape[0], 4]) };
    const { carry, ys } = t.scan(body, start, xs);
    const back = t.scan(body, start, xs, { reverse: true });
    return t.concat([carry.a, carry.b, ...[ys, back.ys].map((y) => flatly(t.permute(y, [1, 0, 2])))], 1);
  },
};

function flatly(x: Tensor): Tensor {
  return t.reshape(x, [x.shape[0], x.size / x.shape[0]]);
}

const x = t.random.normal(t.random.key(9), [2, 3, 4]);
const rowOf = (y: Tensor, row: number) =>
  Array.from(y.data).slice(row * (y.size / 2), (row + 1) * (y.size / 2));

async function moduleFor(f: Compute, size: number): Promise<ActModule> {
  const spec: EnvSpec = { id: "Test-v0", observation: box([3, 4]), action: box([size]) };
  const content = {
    algorithm: "test",
    steps: 0,
    spec,
    wrappers: [],
    policy: { ways: {}, tensors: new Map() },
  };
  const { code } = writeModule(content, withRows(program(f), 1, "test"), "test");
  return import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
}

describe("operations agree in ONNX and in modules", () => {
  it.each(Object.entries(computed))("%s", async (_, f) => {
    const expected = t.cast(f(x), "f32");
    const module = await moduleFor(f, expected.size / 2);
    for (const row of [0, 1])
      expect(apart(module.act(rowOf(x, row)), rowOf(expected, row))).toBeLessThan(1e-5);
    const session = await ort.InferenceSession.create(writeModel(program(f), {}, "test"));
    const feed = new ort.Tensor("float32", x.data.slice() as Float32Array, [2, 3, 4]);
    const { action } = await session.run({ observation: feed });
    expect(action.dims).toEqual(expected.shape);
    expect(apart(action.data, expected.data)).toBeLessThan(1e-5);
  });
});

describe("unsupported operations are named", () => {
  it.each<[string, Compute, Partial<Record<"model" | "module", string>>]>([
    ["lgamma", t.lgamma, { model: "not support lgamma", module: "operation lgamma" }],
    [
      "cholesky",
      (y) => t.cholesky(t.slice(y, [null, [0, 3], [0, 3]])),
      { model: "cholesky", module: "cholesky" },
    ],
    ["u32", (y) => t.cast(t.cast(y, "u32"), "f32"), { model: "u32 numbers" }],
    ["running products", (y) => t.cumprod(y, 1), { model: "not support cumprod" }],
  ])("%s", async (_, f, { model, module }) => {
    if (model) expect(() => writeModel(program(f), {}, "test")).toThrow(model);
    if (module) await expect(moduleFor(f, 12)).rejects.toThrow(module);
  });
});
