import {
  compile,
  expandDims,
  mul,
  random,
  softmax,
  square,
  sub,
  sum,
  type Tensor,
  type Tree,
  tensor,
  valueAndGradient,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { distributions } from "../index.ts";
import { expectClose, expectGradient, expectTorch } from "../testing.ts";

const {
  bernoulli,
  beta,
  categorical,
  dirichlet,
  gamma,
  joint,
  mixture,
  multiCategorical,
  normal,
  tanhNormal,
} = distributions;
type Distribution<A extends Tree = Tensor> = distributions.Distribution<A>;
const key = random.key(17);
const row = (values: number[]) => tensor([values]);
/** A batch of equal rows, for one sample each. */
const many = (values: number[], n = 3000) =>
  tensor(
    Float32Array.from({ length: n * values.length }, (_, i) => values[i % values.length]),
    { shape: [n, values.length] },
  );
const average = (t: Tensor) => Array.from(t.data).reduce((s, v) => s + v, 0) / t.size;
const last = (x: Tensor) => expandDims(x, -1);

describe("against PyTorch", () => {
  it("normal", () => {
    expectTorch("normal log_prob(x; mu, log_std)", (x, mu, logStd) =>
      normal({ mean: last(mu), logStd: last(logStd) }).logProb(last(x)),
    );
    expectTorch("normal entropy(log_std)", (logStd) =>
      normal({ mean: last(mul(logStd, 0)), logStd: last(logStd) }).entropy(),
    );
  });
  it("categorical", () => {
    expectTorch("categorical entropy(logits)", (logits) => categorical({ logits }).entropy());
    expectTorch("kl_div sum p*(logp-logq) from logits", (p, q) =>
      sum(categorical({ logits: p }).kl(categorical({ logits: q }))),
    );
  });
  it("tanhNormal", () =>
    expectTorch(
      "tanh_normal log_prob(a; mu, log_std)",
      (a, mu, logStd) => tanhNormal({ mean: mu, logStd }).logProb(a),
      { tolerance: 3e-4 },
    ));
  it("beta", () =>
    expectTorch(
      "beta log_prob(x; a, b)",
      (x, a, b) => beta({ alpha: last(a), beta: last(b) }).logProb(last(x)),
      { tolerance: 1e-4 },
    ));
  it("dirichlet", () => {
    // The fixture gives concentrations only; its value and gradient determine the point: [0.2, 0.3, 0.5].
    expectTorch(
      "dirichlet log_prob",
      (a) => dirichlet({ concentration: a }).logProb(tensor([0.2, 0.3, 0.5])),
      { tolerance: 1e-4 },
    );
  });
  it("gamma", () =>
    expectTorch(
      "gamma log_prob(x; a, b)",
      (x, a, b) => gamma({ concentration: last(a), rate: last(b) }).logProb(last(x)),
      { tolerance: 1e-4 },
    ));
});

/** Each family with exact entropy and KL: two distributions from lists of parameters. */
const families: [string, (p: Tensor) => Distribution, number[], number[]][] = [
  ["categorical", (p) => categorical({ logits: p }), [0.5, -1, 0.2], [0, 0.3, -0.4]],
  [
    "masked categorical",
    (p) => categorical({ logits: p, mask: tensor([true, false, true]) }),
    [0.5, 3, 0.2],
    [0, 0.3, -0.4],
  ],
  [
    "multiCategorical",
    (p) => multiCategorical({ logits: p, sizes: [2, 3] }),
    [0.5, -1, 0.2, 0.1, 1],
    [0, 0.3, -0.4, 0, 0.5],
  ],
  ["bernoulli", (p) => bernoulli({ logits: p }), [0.5, -1], [-0.2, 0.4]],
  ["normal", (p) => normal({ mean: p, logStd: mul(p, 0.3) }), [0.5, -1], [-0.2, 0.4]],
  ["beta", (p) => beta({ alpha: p, beta: mul(p, 1.7), low: -2, high: 3 }), [1.5, 2.5], [2.2, 1.8]],
  ["gamma", (p) => gamma({ concentration: p, rate: mul(p, 0.7) }), [1.5, 2.5], [2.2, 1.8]],
  ["dirichlet", (p) => dirichlet({ concentration: p }), [1.5, 2.5, 3], [2.2, 1.8, 1.2]],
  [
    "tanhNormal",
    (p) => tanhNormal({ mean: p, logStd: mul(p, 0.3), low: -2, high: 3 }),
    [0.5, -1],
    [-0.2, 0.4],
  ],
];

describe.each(families)("%s", (name, make, p, q) => {
  const [d, other] = [make(many(p)), make(many(q))];
  const draw = compile((k: Tensor) => {
    const x = d.sample(k);
    return { x, own: d.logProb(x), others: other.logProb(x) };
  });
  const { x, own, others } = draw(key);
  it("has the entropy and divergence estimated from its samples", () => {
    expect(own.shape).toEqual([3000]);
    const entropy = name === "tanhNormal" ? average(d.entropy(random.key(5))) : d.entropy().data[0];
    expect(Math.abs(-average(own) - entropy)).toBeLessThan(0.1);
    expect(Math.abs(average(sub(own, others)) - d.kl(other).data[0])).toBeLessThan(0.1);
    expectClose(d.kl(d), new Float32Array(3000), 1e-5);
  });
  it("samples the same eagerly, and samples match its mean", () => {
    const small = make(tensor([p, p]));
    const compiled = compile((k: Tensor) => small.sample(k))(key);
    expectClose(small.sample(key), compiled, 1e-5);
    if (!d.mean) return;
    const expected = d.mean().data;
    for (let i = 0; i < p.length; i++) {
      const column = Array.from({ length: 3000 }, (_, n) => x.data[n * p.length + i]);
      expect(Math.abs(column.reduce((s, v) => s + v, 0) / 3000 - expected[i])).toBeLessThan(0.12);
    }
  });
  it("has the gradient of finite differences", () => {
    const point = make(row(p)).sample(random.key(3));
    expectGradient((t: Tensor) => sum(make(t).logProb(point)), row(p), { step: 3e-3 });
    expectGradient((t: Tensor) => sum(make(t).kl(make(row(q)))), row(p), { step: 3e-3 });
    if (name !== "tanhNormal") expectGradient((t: Tensor) => sum(make(t).entropy()), row(p), { step: 3e-3 });
  });
  it("has its highest density at its mode", () => {
    if (name === "tanhNormal") return;
    const one = make(many(p));
    const best = one.logProb(one.mode()).data[0];
    expect(own.data.every((v) => v <= best + 1e-4)).toBe(true);
  });
});

describe("categorical", () => {
  it("samples with the stated frequencies", () => {
    const d = categorical({ logits: many([1, 0, -1]) });
    const counts = [0, 0, 0];
    for (const v of d.sample(key).data) counts[v]++;
    for (const [i, p] of softmax(tensor([1, 0, -1])).data.entries())
      expect(Math.abs(counts[i] / 3000 - p)).toBeLessThan(0.03);
  });
  it("never takes a masked category, and sends it no gradient", () => {
    const mask = tensor([[true, false, true]]);
    const d = categorical({
      logits: many([0, 9, 0], 500),
      mask: tensor(Array.from({ length: 500 }, () => [true, false, true])),
    });
    expect([...new Set(d.sample(key).data)].sort()).toEqual([0, 2]);
    const { gradient } = valueAndGradient((l: Tensor) => sum(categorical({ logits: l, mask }).entropy()))(
      row([0.3, 9, 0.1]),
    );
    expect(gradient.data[1]).toBe(0);
    expect(gradient.data.every(Number.isFinite)).toBe(true);
    expect(
      categorical({ logits: row([1, 2, 3]), mask: tensor([[false, true, false]]) })
        .entropy()
        .item(),
    ).toBeCloseTo(0, 6);
    expect(() => categorical({ logits: row([1]), mask: row([1]) })).toThrow("must be bool");
  });
  it("ignores a logit of minus infinity", () => {
    const logits = row([0, 0, -Infinity]);
    const d = categorical({ logits });
    const all = categorical({ logits: row([0, 0, 0]) });
    expect(d.entropy().item()).toBeCloseTo(Math.LN2, 6);
    expect(d.kl(d).item()).toBe(0);
    expect(d.kl(all).item()).toBeCloseTo(Math.log(1.5), 6);
    expect(all.kl(d).item()).toBe(Infinity);
    expect(d.logProb(tensor([2], { dtype: "i32" })).item()).toBe(-Infinity);
    const slopes = (f: (d: ReturnType<typeof categorical>) => Tensor) =>
      valueAndGradient((l: Tensor) => sum(f(categorical({ logits: l }))))(row([0, 1, -Infinity])).gradient;
    expectClose(
      slopes((d) => d.entropy()),
      row([0.19661194, -0.19661194, 0]),
    );
    for (const v of slopes((d) => d.kl(all)).data) expect(Number.isFinite(v)).toBe(true);
  });
});

describe("tanhNormal", () => {
  const d = tanhNormal({
    mean: tensor([
      [0.3, -4],
      [20, -20],
    ]),
    logStd: tensor([
      [-1, 0.5],
      [0, 0],
    ]),
  });
  it("has the same log-probability from the action and from the pre-tanh sample", () => {
    const { action, logProb, raw } = d.sampleWithLogProb(key);
    expect(d.logProb(action).data[0]).toBeCloseTo(logProb.data[0], 2);
    expectClose(d.logProbOfRaw(raw), logProb, 1e-6);
  });
  it("stays finite where the action has rounded to a bound", () => {
    const { action, logProb } = d.sampleWithLogProb(key);
    expectClose(action.data.slice(2), [1, -1], 1e-6);
    expect([...logProb.data, ...d.logProb(action).data].every(Number.isFinite)).toBe(true);
    const { gradient } = valueAndGradient((m: Tensor) =>
      sum(tanhNormal({ mean: m, logStd: mul(m, 0) }).sampleWithLogProb(key).logProb),
    )(tensor([[30, -30]]));
    expect(gradient.data.every(Number.isFinite)).toBe(true);
  });
  it("integrates to 1 over its bounds", () => {
    const grid = Array.from({ length: 2000 }, (_, i) => [-2 + ((i + 0.5) * 5) / 2000]);
    const one = tanhNormal({
      mean: tensor(grid.map(() => [0.2])),
      logStd: tensor(grid.map(() => [-0.3])),
      low: -2,
      high: 3,
    });
    const density = Array.from(one.logProb(tensor(grid)).data).reduce((s, v) => s + Math.exp(v), 0);
    expect((density * 5) / 2000).toBeCloseTo(1, 3);
  });
  it("requires a key for its entropy", () => expect(() => d.entropy()).toThrow("Pass a key"));
});

describe("mixture", () => {
  const parts = {
    logits: tensor([[0.5, -0.5]]),
    means: tensor([
      [
        [-2, 0],
        [1, 1],
      ],
    ]),
    logStds: tensor([
      [
        [-1, -1],
        [-0.5, 0],
      ],
    ]),
  };
  const make = (p: typeof parts) =>
    mixture({ logits: p.logits, components: normal({ mean: p.means, logStd: p.logStds }) });
  const [w0, w1] = softmax(tensor([0.5, -0.5])).data;
  it("is the weighted sum of its components", () => {
    const x = tensor([[0.3, 0.4]]);
    const one = (i: number) =>
      Math.exp(
        normal({
          mean: tensor([(parts.means.toArray() as number[][][])[0][i]]),
          logStd: tensor([(parts.logStds.toArray() as number[][][])[0][i]]),
        })
          .logProb(x)
          .item(),
      );
    expect(make(parts).logProb(x).item()).toBeCloseTo(Math.log(w0 * one(0) + w1 * one(1)), 4);
    expectClose(make(parts).mean!(), [-2 * w0 + w1, w1], 1e-5);
    expect(make(parts).mode().toArray()).toEqual([[-2, 0]]);
    expectGradient((p) => sum(make(p).logProb(x)), parts);
  });
  it("samples components by weight", () => {
    const n = 2000;
    const wide = (t: Tensor) =>
      tensor(
        Float32Array.from({ length: n * t.size }, (_, i) => t.data[i % t.size]),
        { shape: [n, ...t.shape.slice(1)] },
      );
    const d = make({ logits: wide(parts.logits), means: wide(parts.means), logStds: wide(parts.logStds) });
    const x = d.sample(key);
    expect(x.shape).toEqual([n, 2]);
    const first = x.data.filter((_, i) => i % 2 === 0) as Float32Array;
    expect(Math.abs(first.reduce((s, v) => s + v, 0) / n - (-2 * w0 + w1))).toBeLessThan(0.15);
    expect(average(d.kl(d, key))).toBeCloseTo(0, 4);
    expect(average(d.entropy(key))).toBeCloseTo(-average(d.logProb(x)), 1);
  });
  it("requires a key for entropy and KL, and has no mean over categories", () => {
    expect(() => make(parts).entropy()).toThrow("entropy of mixture: has no closed form");
    expect(() => make(parts).kl(make(parts))).toThrow("Pass a key");
    expect(() =>
      mixture({ logits: parts.logits, components: categorical({ logits: parts.means }) }).mean!(),
    ).toThrow("no mean");
  });
});

describe("joint", () => {
  const move = categorical({
    logits: tensor([
      [0.2, 1],
      [0, 0],
    ]),
  });
  const aim = normal({ mean: tensor([[0.5], [1]]), logStd: tensor([[0], [-1]]) });
  it("sums over a tuple and over a dict", () => {
    const tuple = joint([move, aim]);
    const dict = joint({ move, aim });
    const [a, b] = tuple.sample(key);
    expect(a.dtype).toBe("i32");
    expectClose(
      tuple.logProb([a, b]),
      [0, 1].map((i) => move.logProb(a).data[i] + aim.logProb(b).data[i]),
      1e-6,
    );
    expectClose(dict.logProb({ move: a, aim: b }), tuple.logProb([a, b]), 1e-6);
    expectClose(
      dict.entropy(),
      [0, 1].map((i) => move.entropy().data[i] + aim.entropy().data[i]),
      1e-6,
    );
    expectClose(dict.kl(dict), [0, 0], 1e-6);
    expect(dict.mode().move.toArray()).toEqual([1, 0]);
    expect(() => dict.mean!()).toThrow('part "move" has no mean');
  });
  it("nests, and passes keys to parts that need them", () => {
    const squashed = tanhNormal({ mean: tensor([[0], [0]]), logStd: tensor([[0], [0]]) });
    const d = joint({ hand: joint([move, squashed]), aim });
    const x = d.sample(key);
    expect(d.logProb(x).shape).toEqual([2]);
    expect(() => d.entropy()).toThrow("Pass a key");
    expect(d.entropy(key).shape).toEqual([2]);
  });
});

describe("hand computations", () => {
  it("multiCategorical adds its parts", () => {
    const d = multiCategorical({
      logits: row([0, 0, 1, 1, 1]),
      sizes: [2, 3],
      mask: tensor([[true, true, true, false, true]]),
    });
    expect(d.logProb(tensor([[1, 2]], { dtype: "i32" })).item()).toBeCloseTo(Math.log(0.5 * 0.5), 5);
    expect(() => multiCategorical({ logits: row([1, 2]), sizes: [2, 3] })).toThrow("need 5 logits");
  });
  it("bernoulli takes bits of any type", () => {
    const d = bernoulli({ logits: row([0, Math.log(3)]) });
    expect(d.logProb(tensor([[true, true]])).item()).toBeCloseTo(Math.log(0.5 * 0.75), 5);
    expect(d.mode().toArray()).toEqual([[0, 1]]);
  });
  it("beta(1, 1) is uniform on its bounds", () => {
    const d = beta({ alpha: row([1]), beta: row([1]), low: 0, high: 4 });
    expect(d.logProb(row([1])).item()).toBeCloseTo(-Math.log(4), 5);
    expect(d.entropy().item()).toBeCloseTo(Math.log(4), 5);
    expect(d.mode().item()).toBe(2);
  });
  it("densities near, at and beyond the bounds", () => {
    const at = (d: Distribution, ...x: number[]) => d.logProb(row(x)).item();
    const unit = (a: number, b: number) => beta({ alpha: row([a]), beta: row([b]) });
    expect(at(unit(2, 5), 1e-9)).toBeCloseTo(-17.3221, 3);
    for (const end of [0, 1]) expect(Number.isFinite(at(unit(2, 0.5), end))).toBe(true);
    expect(at(unit(1, 1), 0)).toBeCloseTo(0, 5);
    for (const x of [5, -1e-3, Infinity]) expect(at(unit(2, 2), x)).toBe(-Infinity);
    expect(at(unit(2, 2), Number.NaN)).toBe(Number.NaN);
    // -0.7 + (0.1 - -0.7) is more than 0.1 in f32.
    const narrow = beta({ alpha: row([2]), beta: row([2]), low: -0.7, high: 0.1 });
    for (const x of [-0.7, 0.1, 0.10000002384185791]) expect(Number.isFinite(at(narrow, x))).toBe(true);
    expect(at(narrow, 0.11)).toBe(-Infinity);
    const rate2 = (a: number) => gamma({ concentration: row([a]), rate: row([2]) });
    expect(at(rate2(1), 0)).toBeCloseTo(Math.LN2, 6);
    expect([at(rate2(2), 0), at(rate2(0.5), 0), at(rate2(2), -1)]).toEqual([-Infinity, Infinity, -Infinity]);
    const shares = dirichlet({ concentration: row([2, 1, 1]) });
    expect(Number.isFinite(at(shares, 0, 0.5, 0.5))).toBe(true);
    expect(at(shares, -0.5, 0.5, 1)).toBe(-Infinity);
  });
  it("normal samples carry gradients to mean and deviation", () => {
    const at = { mean: row([1, 2]), logStd: row([0, -1]) };
    expectGradient((p) => sum(square(normal(p).sample(key))), at);
  });
});
