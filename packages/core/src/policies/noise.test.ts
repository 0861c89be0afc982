import { compile, random, type Tensor, type Tree, tensor, valueAndGradient, zeros } from "@reins/tensor";
import { expect, it } from "vitest";
import { box } from "../space.ts";
import type { HeadOptions } from "./head.ts";
import { headFor } from "./heads.ts";
import { squashed } from "./squashed-normal.ts";

const rows = 2048;
const features = tensor(Array.from({ length: rows }, () => [0.5, -1, 0.25, 1]));
const mean = zeros([rows, 1]);

/** Raw actions of several steps, with their likelihoods; the features stay the same. */
function walk(options: HeadOptions, steps: number, ends: (t: number) => boolean = () => false) {
  const head = headFor(box([1], -1, 1), options);
  const params = head.init(4);
  const step = (state: Tree, first: Tensor, key: Tensor) => {
    const drawn = head.carried!.draw(params, mean, { features, state, first, key });
    const d = head.distribution(params, mean, { features, given: drawn.given });
    return { ...drawn, logProb: d.logProb(drawn.raw) };
  };
  const draw = compile(step, { backend: "wasm" });
  let state: Tree = head.carried!.start(rows, 4);
  return Array.from({ length: steps }, (_, t) => {
    const first = zeros([rows], "bool").set(t === 0 || ends(t) ? 1 : 0);
    const { raw, logProb, state: next } = draw(state, first, random.key(t));
    state = next;
    return { raw: Array.from(raw.data), logProb: Array.from(logProb.data) };
  });
}

const dot = (a: number[], b: number[]) => a.reduce((s, x, i) => s + x * b[i], 0) / a.length;
const cosine = (a: number[], b: number[]) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
const normalLog = (x: number, m: number, variance: number) =>
  -((x - m) ** 2) / (2 * variance) - Math.log(2 * Math.PI * variance) / 2;

it("correlated noise keeps its autocorrelation and standard deviation, and restarts with an episode", () => {
  const options: HeadOptions = { noise: "correlated", noiseMemory: 0.8, logStd: Math.log(0.5) };
  const steps = walk(options, 6, (t) => t === 4);
  for (const { raw } of steps) expect(dot(raw, raw)).toBeCloseTo(0.25, 1);
  const kept = (t: number) => cosine(steps[t].raw, steps[t - 1].raw);
  expect(kept(1)).toBeCloseTo(0.8, 1);
  expect(kept(3)).toBeCloseTo(0.8, 1);
  expect(Math.abs(kept(4))).toBeLessThan(0.15);
});

it("the likelihoods of correlated actions multiply to that of the whole walk", () => {
  const [keep, std] = [0.8, 0.5];
  const steps = walk({ noise: "correlated", noiseMemory: keep, logStd: Math.log(std) }, 3);
  for (let r = 0; r < 8; r++) {
    const [a, b, c] = steps.map((s) => s.raw[r]);
    // An autoregressive process of order 1, by its definition.
    const fresh = std ** 2 * (1 - keep ** 2);
    const whole = normalLog(a, 0, std ** 2) + normalLog(b, keep * a, fresh) + normalLog(c, keep * b, fresh);
    const sum = steps.reduce((s, { logProb }) => s + logProb[r], 0);
    expect(sum).toBeCloseTo(whole, 3);
  }
});

it("state-dependent noise is a function of the state until it is resampled", () => {
  const steps = walk({ noise: "state-dependent", noiseSteps: 3, logStd: Math.log(0.5) }, 7, (t) => t === 5);
  const same = (t: number) => steps[t].raw.every((x, i) => x === steps[t - 1].raw[i]);
  expect([1, 2, 3, 4, 5, 6].map(same)).toEqual([true, true, false, true, false, true]);
  // mean(features²) · 0.25, with features² of 0.25, 1, 0.0625 and 1.
  const variance = 0.25 * (2.3125 / 4);
  expect(dot(steps[0].raw, steps[0].raw)).toBeCloseTo(variance, 1.5);
  expect(steps[0].logProb[0]).toBeCloseTo(normalLog(steps[0].raw[0], 0, variance + 1e-6), 3);
});

it("without a key there is no noise", () => {
  for (const noise of ["state-dependent", "correlated"] as const) {
    const head = headFor(box([1], -1, 1), { noise });
    const state = head.carried!.start(rows, 4);
    const first = zeros([rows], "bool");
    expect(head.carried!.draw(head.init(4), mean, { features, state, first }).raw).toBe(mean);
  }
});

it("the entropy of squashed actions is their mean surprise, and has a gradient", () => {
  for (const [m, s] of [
    [0, 0.5],
    [1, 1],
    [-2, 0.3],
    [0.5, 1.5],
  ]) {
    const many = { mean: zeros([4000, 1]).set(m), logStd: zeros([4000, 1]).set(Math.log(s)) };
    const d = squashed(many);
    const surprise = d
      .logProb(d.sample(random.key(3)))
      .mean()
      .item();
    expect(d.entropy().data[0]).toBeCloseTo(-surprise, 1);
  }
  const entropy = (p: { mean: Tensor; logStd: Tensor }) => squashed(p).entropy().sum();
  const at = (logStd: number) => ({ mean: tensor([[0.3]]), logStd: tensor([[logStd]]) });
  const { gradient } = valueAndGradient(entropy)(at(-0.5));
  const numeric = (entropy(at(-0.49)).item() - entropy(at(-0.51)).item()) / 0.02;
  expect(gradient.logStd.item()).toBeCloseTo(numeric, 2);
});
