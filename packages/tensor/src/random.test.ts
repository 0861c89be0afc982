import { describe, expect, it } from "vitest";
import { apply } from "./apply.ts";
import * as o from "./index.ts";
import { random, type Tensor } from "./index.ts";
import { backends, fastBackends } from "./testing/backends.ts";
import { expectSameBits } from "./testing/compare.ts";

const n = 40_000;
const key = random.key;

function moments(t: Tensor) {
  const x = Float64Array.from(t.data);
  const mean = x.reduce((a, b) => a + b, 0) / x.length;
  const central = (p: number) => x.reduce((a, b) => a + (b - mean) ** p, 0) / x.length;
  const variance = central(2);
  return { mean, variance, skew: central(3) / variance ** 1.5, kurtosis: central(4) / variance ** 2 };
}

/** Within five standard errors of the true mean. Seeds are fixed, so a correct sampler always passes. */
function expectMean(t: Tensor, mean: number, variance: number): void {
  expect(Math.abs(moments(t).mean - mean)).toBeLessThan(5 * Math.sqrt(variance / t.size));
}

/** Pearson's statistic of counts against probabilities, in standard deviations from its mean. */
function chiSquare(counts: ArrayLike<number>, probabilities: readonly number[]): number {
  const total = Array.from(counts).reduce((a, b) => a + b, 0);
  const statistic = probabilities.reduce((s, p, i) => s + (counts[i] - total * p) ** 2 / (total * p), 0);
  const freedom = probabilities.length - 1;
  return (statistic - freedom) / Math.sqrt(2 * freedom);
}

function histogram(t: Tensor, bins: number, place: (x: number) => number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const x of t.data) counts[Math.min(bins - 1, Math.max(0, Math.floor(place(x) * bins)))]++;
  return counts;
}
const flat = (bins: number) => new Array<number>(bins).fill(1 / bins);

/** Φ, by numerical integration of the density, independent of the code under test. */
function phi(x: number): number {
  const steps = 400;
  const h = x / steps;
  let sum = 0;
  for (let i = 0; i < steps; i++) sum += Math.exp(-(((i + 0.5) * h) ** 2) / 2) * h;
  return 0.5 + sum / Math.sqrt(2 * Math.PI);
}

describe("Threefry", () => {
  it("gives the published test vectors (Random123, threefry2x32, 20 rounds)", () => {
    const vectors: [number[], number[], number[]][] = [
      [
        [0, 0],
        [0, 0],
        [0x6b200159, 0x99ba4efe],
      ],
      [
        [0xffffffff, 0xffffffff],
        [0xffffffff, 0xffffffff],
        [0x1cb996fc, 0xbb002be7],
      ],
      [
        [0x13198a2e, 0x03707344],
        [0x243f6a88, 0x85a308d3],
        [0xc4923a9c, 0x483df7a0],
      ],
    ];
    for (const [k, c, want] of vectors) {
      const words = [...k, ...c].map((v) => o.tensor(v, { dtype: "u32" }));
      expect([0, 1].map((word) => apply("threefry", words, { word }, [], "u32").item())).toEqual(want);
    }
  });

  it("has no bias in any bit, and neighbours are independent", () => {
    const bits = Uint32Array.from(random.bits(key(1), [n]).data);
    for (let b = 0; b < 32; b++) {
      const ones = bits.reduce((s, v) => s + ((v >>> b) & 1), 0);
      expect(Math.abs(ones - n / 2) / Math.sqrt(n / 4)).toBeLessThan(4.5);
    }
    const u = Float64Array.from(bits, (v) => v / 2 ** 32 - 0.5);
    for (const lag of [1, 2, 3, 64]) {
      let sum = 0;
      for (let i = lag; i < n; i++) sum += u[i] * u[i - lag];
      expect(Math.abs(sum / n) * 12 * Math.sqrt(n)).toBeLessThan(4.5);
    }
  });

  it("keys: equal keys agree, others do not; split and folded keys are new", () => {
    expectSameBits("same", random.bits(key(5), [8]), random.bits(key(5), [8]));
    const seen = new Set<string>();
    const keys = [
      key(5),
      key(6),
      key(2 ** 40 + 5),
      ...random.splitKey(key(5), 50),
      ...random.splitKey(key(6), 50),
      ...Array.from({ length: 50 }, (_, i) => random.foldKey(key(5), i)),
      ...["crit", "dropout", "dropouts"].map((name) => random.foldKey(key(5), name)),
    ];
    for (const k of keys) seen.add(Array.from(random.bits(k, [2]).data).join());
    expect(seen.size).toBe(keys.length);
    // The first numbers of a long stream are those of a short one: they depend on the position, not the size.
    expect(Array.from(random.bits(key(5), [4]).data)).toEqual(
      Array.from(random.bits(key(5), [400]).data.slice(0, 4)),
    );
  });

  it("a name folds its characters, four at a time", () => {
    const bytes = (name: string) => [...name].reduce((n, c) => 256 * n + c.charCodeAt(0), 0);
    const { foldKey } = random;
    expect(foldKey(key(5), "crit").toArray()).toEqual(foldKey(key(5), bytes("crit")).toArray());
    expect(foldKey(key(5), "dropout").toArray()).toEqual(
      foldKey(foldKey(key(5), bytes("drop")), bytes("out\0")).toArray(),
    );
    for (const name of ["", "key", "größe"])
      expect(() => foldKey(key(5), name)).toThrow("does not have four or more ASCII characters");
  });
});

describe("distributions", () => {
  it("uniform", () => {
    const u = random.uniform(key(2), [n]);
    expect(
      Math.abs(
        chiSquare(
          histogram(u, 100, (x) => x),
          flat(100),
        ),
      ),
    ).toBeLessThan(4);
    expect(Math.min(...u.data)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...u.data)).toBeLessThan(1);
    expectMean(random.uniform(key(3), [n], -2, 5), 1.5, 49 / 12);
  });

  it("normal", () => {
    const x = random.normal(key(4), [n]);
    expect(Math.abs(chiSquare(histogram(x, 50, phi), flat(50)))).toBeLessThan(4);
    const { variance, skew, kurtosis } = moments(x);
    expectMean(x, 0, 1);
    expect(variance).toBeCloseTo(1, 1);
    expect(Math.abs(skew)).toBeLessThan(5 * Math.sqrt(6 / n));
    expect(Math.abs(kurtosis - 3)).toBeLessThan(5 * Math.sqrt(24 / n));
    expect(x.data.every(Number.isFinite)).toBe(true);
  });

  it("truncated normal", () => {
    const x = random.truncatedNormal(key(5), [n], -1, 2);
    const [a, b] = [phi(-1), phi(2)];
    expect(
      Math.abs(
        chiSquare(
          histogram(x, 40, (v) => (phi(v) - a) / (b - a)),
          flat(40),
        ),
      ),
    ).toBeLessThan(4);
    expect(Math.min(...x.data)).toBeGreaterThanOrEqual(-1);
    expect(Math.max(...x.data)).toBeLessThanOrEqual(2);
  });

  it("truncated normal in the tails", () => {
    // Beyond a, Φ(-x) / Φ(-a) in doubles, by Laplace's continued fraction.
    const mills = (x: number) => Array.from({ length: 60 }, (_, i) => 60 - i).reduce((f, n) => x + n / f, x);
    const beyond = (x: number, a: number) => (Math.exp((a * a - x * x) / 2) * mills(a)) / mills(x);
    for (const [low, high] of [
      [4, 5],
      [6, 8],
      [20, Infinity],
    ]) {
      const draw = o.compile((k: Tensor) => ({
        x: random.truncatedNormal(k, [n], low, high),
        mirrored: random.truncatedNormal(k, [n], -high, -low),
      }));
      const { x, mirrored } = draw(key(5));
      const whole = 1 - (high < Infinity ? beyond(high, low) : 0);
      const spread = histogram(x, 40, (v) => (1 - beyond(v, low)) / whole);
      expect(Math.abs(chiSquare(spread, flat(40)))).toBeLessThan(4);
      expect(Math.min(...x.data)).toBeGreaterThanOrEqual(low);
      expect(Math.max(...x.data)).toBeLessThanOrEqual(high);
      expect([...mirrored.data]).toEqual([...x.data].map((v) => -v));
    }
  });

  it("integers of the widest ranges", () => {
    const x = random.randint(key(5), [n], -(2 ** 31), 2 ** 31);
    expect(
      Math.abs(
        chiSquare(
          histogram(x, 40, (v) => v / 2 ** 32 + 0.5),
          flat(40),
        ),
      ),
    ).toBeLessThan(4);
    expect(Math.min(...random.randint(key(5), [n], -5, 2 ** 31).data)).toBeGreaterThanOrEqual(-5);
  });

  it("exponential and Gumbel", () => {
    expect(
      Math.abs(
        chiSquare(
          histogram(random.exponential(key(6), [n]), 50, (x) => 1 - Math.exp(-x)),
          flat(50),
        ),
      ),
    ).toBeLessThan(4);
    expect(
      Math.abs(
        chiSquare(
          histogram(random.gumbel(key(7), [n]), 50, (x) => Math.exp(-Math.exp(-x))),
          flat(50),
        ),
      ),
    ).toBeLessThan(4);
  });

  it("Gumbel numbers are finite, so that samples respect masks", () => {
    // One of these words has 24 leading ones, of which the uniform number rounds to 1.
    const wide = random.gumbel(random.key(16), [2 ** 16]);
    expect(wide.data.every(Number.isFinite)).toBe(true);
    expect(Math.max(...wide.data)).toBeLessThan(17);
    const only = o.where(o.eq(o.iota([2 ** 16]), 3), 0, -1e30);
    expect(random.categorical(random.key(16), only).data[0]).toBe(3);
  });

  it("integers, permutations, Bernoulli, categorical", () => {
    const x = random.randint(key(8), [n], -3, 7);
    expect(x.dtype).toBe("i32");
    expect(
      Math.abs(
        chiSquare(
          histogram(x, 10, (v) => (v + 3) / 10 + 1e-9),
          flat(10),
        ),
      ),
    ).toBeLessThan(4);
    expectMean(o.cast(random.bernoulli(key(9), 0.3, [n]), "f32"), 0.3, 0.21);
    const p = [0.5, 0.2, 0.05, 0.25];
    const counts = [0, 0, 0, 0];
    for (const c of random.categorical(key(10), o.broadcastTo(o.log(o.tensor(p)), [n, 4])).data) counts[c]++;
    expect(Math.abs(chiSquare(counts, p))).toBeLessThan(4);
    expect(Array.from(random.permutation(key(11), 1000).data).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 1000 }, (_, i) => i),
    );
    const first = histogram(
      o.tensor(
        Array.from({ length: 500 }, (_, i) => random.permutation(random.foldKey(key(12), i), 5).data[0]),
      ),
      5,
      (v) => v / 5 + 1e-9,
    );
    expect(Math.abs(chiSquare(first, flat(5)))).toBeLessThan(4);
  });

  it("gamma, beta and Dirichlet", () => {
    // Rejection takes a dozen tries: compiled, so that many samples are quick. The numbers are the same (see below).
    const [m, backend] = fastBackends().length ? [20_000, fastBackends()[0]] : [2000, "reference" as const];
    const gamma = o.compile(random.gamma, { backend });
    const beta = o.compile(random.beta, { backend });
    const dirichlet = o.compile(random.dirichlet, { backend });
    for (const alpha of [0.05, 0.5, 1, 2.5, 30]) {
      const x = gamma(key(13), o.full([m], alpha));
      expectMean(x, alpha, alpha);
      // The variance of a sample variance is σ⁴·(kurtosis - 1)/m, and the kurtosis is 3 + 6/α.
      expect(Math.abs(moments(x).variance - alpha)).toBeLessThan(6 * alpha * Math.sqrt((2 + 6 / alpha) / m));
    }
    for (const [a, b] of [
      [0.5, 0.5],
      [2, 5],
      [0.1, 3],
    ]) {
      const variance = (a * b) / ((a + b) ** 2 * (a + b + 1));
      expectMean(beta(key(14), o.full([m], a), o.full([m], b)), a / (a + b), variance);
    }
    const d = dirichlet(key(15), o.broadcastTo(o.tensor([1, 2, 5]), [m, 3]));
    for (const s of o.sum(d, 1).data) expect(s).toBeCloseTo(1, 5);
    [1, 2, 5].forEach((a, i) => {
      expectMean(o.slice(d, [null, [i, i + 1]]), a / 8, (a * (8 - a)) / (64 * 9));
    });
  });

  it("small concentrations stay in range", () => {
    const backend = fastBackends()[0] ?? "reference";
    const x = o.compile(random.beta, { backend })(key(16), o.full([2000], 0.01), o.full([2000], 0.01));
    expect(x.data.every((v) => v >= 0 && v <= 1)).toBe(true);
    expect(
      o
        .compile(random.dirichlet, { backend })(key(17), o.full([500, 4], 0.01))
        .data.every(Number.isFinite),
    ).toBe(true);
  });
});

describe("every back end samples the same numbers", () => {
  const draw = (k: Tensor) => {
    const keys = random.splitKey(k, 12);
    const a = o.add(o.mod(o.cast(o.iota([200]), "f32"), 5), 0.3);
    return {
      bits: random.bits(keys[0], [3, 67]),
      uniform: random.uniform(keys[1], [129], -1, 2),
      randint: random.randint(keys[2], [65], 0, 10),
      wide: random.randint(keys[2], [65], -(2 ** 31), 2 ** 30),
      normal: random.normal(keys[3], [7, 31]),
      bernoulli: random.bernoulli(keys[4], 0.4, [100]),
      gumbel: random.gumbel(keys[5], [100]),
      permutation: random.permutation(keys[6], 100),
      categorical: random.categorical(keys[7], o.reshape(o.sin(o.cast(o.iota([400]), "f32")), [100, 4])),
      truncated: random.truncatedNormal(keys[8], [100]),
      gamma: random.gamma(keys[9], a),
      exponential: random.exponential(keys[10], [100]),
      folded: random.foldKey(keys[11], 7),
    };
  };
  for (const backend of backends()) {
    it(backend, () => {
      const [got, want] = [o.compile(draw, { backend })(key(77)), draw(key(77))];
      for (const name of Object.keys(want) as (keyof typeof want)[])
        expectSameBits(name, got[name], want[name]);
    });
  }

  it("the first numbers never change: later versions can repeat a recorded run", () => {
    expect(Array.from(random.bits(key(0), [3]).data)).toMatchInlineSnapshot(`
      [
        1797259609,
        1351547692,
        1688610540,
      ]
    `);
    expect(Array.from(random.randint(key(0), [6], 0, 100).data)).toMatchInlineSnapshot(`
      [
        9,
        92,
        40,
        85,
        27,
        8,
      ]
    `);
    expect(Array.from(random.normal(key(0), [2]).data)).toMatchInlineSnapshot(`
      [
        -1.0654526948928833,
        0.03239883854985237,
      ]
    `);
  });
});

it("integers from a range above 2³¹ are equally likely", () => {
  const [count, half] = [20_000, 1_500_000_000];
  const x = random.randint(random.key(3), [count], -half, half).data;
  const share = (from: number, to: number) => x.filter((v) => v >= from && v < to).length / count;
  for (let part = 0; part < 6; part++)
    expect(share(-half + part * 5e8, -half + (part + 1) * 5e8)).toBeCloseTo(1 / 6, 1.9);
});

it("integers from a large range are the integer part of a 64-bit product", () => {
  const range = 2 ** 32 - 5;
  const [k, shape] = [random.key(8), [500]];
  const high = random.bits(k, shape).data;
  const x = random.randint(k, shape, -(2 ** 31), 2 ** 31 - 5).data;
  // The second word moves the result by at most one.
  x.forEach((v, i) => {
    const least = Number((BigInt(high[i]) * BigInt(range)) >> 32n);
    expect([least, least + 1]).toContain(v + 2 ** 31);
  });
});
