import * as nn from "@reins/nn";
import {
  compile,
  leaves,
  random,
  setBackend,
  type Tensor,
  type Tree,
  tensor,
  valueAndGradient,
  zeros,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { c51 } from "./c51.ts";
import { iqn } from "./iqn.ts";
import { cosineEmbedding, fractionsFor } from "./q/fractions.ts";
import { type QParams, qNetwork } from "./q/network.ts";
import type { NoisyParams } from "./q/noisy-linear.ts";
import { categorical, implicitQuantiles, quantiles } from "./q/value-form.ts";
import { qrDqn } from "./qr-dqn.ts";
import { rainbow } from "./rainbow.ts";
import { corridor, score, trained } from "./testing-envs.ts";
import { expectExactResume } from "./testing-on-policy.ts";
import { quick } from "./testing-values.ts";

setBackend("wasm");

describe("losses by hand", () => {
  it("c51: the projected target's cross-entropy, with its KL divergence as the error", () => {
    // Returns 0, 1, 2 with probabilities 1/2, 1/4, 1/4 become 0.5, 1, 1.5 by r = 0.5 and γ = 0.5.
    const form = categorical({ atoms: 3, low: 0, high: 2 });
    const next = tensor([[Math.log(2), 0, 0]]);
    const target = [0.25, 0.25 + 0.25 + 0.125, 0.125];
    const at = (p: number[]) =>
      form.compare(tensor([p.map(Math.log)]), { next, reward: tensor([0.5]), discount: tensor([0.5]) });
    const predicted = [0.2, 0.5, 0.3];
    const cross = -target.reduce((sum, t, i) => sum + t * Math.log(predicted[i]), 0);
    const divergence = target.reduce((sum, t, i) => sum + t * Math.log(t / predicted[i]), 0);
    expect(at(predicted).loss.item()).toBeCloseTo(cross, 5);
    expect(at(predicted).error.item()).toBeCloseTo(divergence, 5);
    // A correct prediction has no error, however wide the distribution.
    expect(at(target).error.item()).toBeCloseTo(0, 5);
  });

  /** Huber's loss of target - prediction, weighted by the fraction. */
  const tilted = (fraction: number, prediction: number, target: number) => {
    const error = target - prediction;
    const size = Math.abs(error);
    return (error < 0 ? 1 - fraction : fraction) * (size <= 1 ? (error * error) / 2 : size - 0.5);
  };
  const sumOf = (fractions: number[], predictions: number[], targets: number[]) =>
    fractions.reduce(
      (sum, f, i) => sum + targets.reduce((s, t) => s + tilted(f, predictions[i], t), 0) / targets.length,
      0,
    );

  it("qr-dqn: every quantile against every target", () => {
    const [predictions, next] = [
      [0.5, 2],
      [0, 4],
    ];
    const { loss, error } = quantiles({ atoms: 2 }).compare(tensor([predictions]), {
      next: tensor([next]),
      reward: tensor([1]),
      discount: tensor([0.5]),
    });
    expect(loss.item()).toBeCloseTo(sumOf([0.25, 0.75], predictions, [1, 3]), 5);
    expect(error.item()).toBeCloseTo(0.75, 5);
  });

  it("iqn: quantile regression at sampled fractions, any number of each", () => {
    const form = implicitQuantiles({ prediction: 2, target: 3, choice: 4 });
    const [fractions, predictions, next] = [
      [0.1, 0.6],
      [0.5, 2],
      [0, 4, 8],
    ];
    const compare = (drawn?: Tensor) =>
      form.compare(tensor([predictions]), {
        next: tensor([next]),
        reward: tensor([1]),
        discount: tensor([0.5]),
        ...(drawn ? { fractions: drawn } : {}),
      });
    expect(compare(tensor([fractions])).loss.item()).toBeCloseTo(sumOf(fractions, predictions, [1, 3, 5]), 5);
    expect(() => compare()).toThrow("fractions");
  });
});

describe("implicit quantiles", () => {
  it("features are multiplied by relu(Σ cos(π i τ) w + b)", () => {
    const { apply } = cosineEmbedding(1, 3);
    const params = { weight: tensor([[1], [2], [3]]), bias: tensor([0.5]) };
    const shown = apply(params, tensor([[2]]), tensor([[0, 0.5, 1]])).toArray();
    // The cosines of 0, π τ and 2 π τ are 1, 1, 1; 1, 0, -1; 1, -1, 1.
    expect(shown).toEqual([[[13], [expect.closeTo(0, 5)], [expect.closeTo(5, 4)]]]);
  });

  it("fractions are evenly spaced without a key, and differ between uses with one", () => {
    expect(fractionsFor("choice", 4, 2).toArray()).toEqual([0, 1].map(() => [0.125, 0.375, 0.625, 0.875]));
    const key = random.key(1);
    const [a, b] = (["target", "choice"] as const).map((use) => String(fractionsFor(use, 4, 2, key)));
    expect(a).not.toBe(b);
  });

  it("a network learns the value at every fraction", () => {
    const shape = { inputs: 1, actions: 1, atoms: 1, hidden: [32, 32], dueling: false, noisy: false };
    const at = (use: "prediction" | "choice", count: number) =>
      qNetwork({ ...shape, implicit: { use, count, cosines: 16 } });
    const form = implicitQuantiles({ prediction: 8, target: 1, choice: 9 });
    const network = at("prediction", 8);
    const optimiser = nn.adam({ learningRate: 3e-3 });
    const x = zeros([64, 1]).add(1);
    const step = compile((weights: QParams, state: nn.OptimiserState<QParams>, key: Tensor) => {
      const { gradient } = valueAndGradient((w: QParams) => {
        const predicted = network.apply(w, x, { key }).sum(1);
        const reward = random.uniform(random.foldKey(key, 9), [64]);
        const drawn = fractionsFor("prediction", 8, 64, key);
        return form
          .compare(predicted, { next: zeros([64, 1]), reward, discount: zeros([64]), fractions: drawn })
          .loss.mean();
      })(weights);
      return optimiser.update(gradient, state, weights);
    });
    let weights = network.init(random.key(0));
    let state = optimiser.init(weights);
    for (let i = 0; i < 600; i++) ({ params: weights, state } = step(weights, state, random.key(i)));
    const learned = at("choice", 9).apply(weights, tensor([[1]]));
    // Of numbers less than 1 apart, where Huber's loss is a square, these are expectiles: f (1 - e)² = (1 - f) e²
    // for uniform numbers.
    learned.data.forEach((e, i) => {
      const [below, above] = [Math.sqrt((i + 0.5) / 9), Math.sqrt(1 - (i + 0.5) / 9)];
      expect(Math.abs(e - below / (below + above))).toBeLessThan(0.05);
    });
    expect(form.mean(learned).item()).toBeCloseTo(0.5, 1);
  });
});

it.each([
  ["c51", c51, { low: 0, high: 1, atoms: 21 }],
  ["qr-dqn", qrDqn, { atoms: 11 }],
  ["iqn", iqn, { hidden: [16, 16], choiceFractions: 8, cosines: 16 }],
] as const)("%s finds the prize", (_, maker, own) => {
  const run = trained({ algorithm: maker({ ...quick, ...own }), env: corridor(), steps: 1000, seed: 1 });
  expect(score(run)).toBeCloseTo(1, 9);
});

it.each([
  ["c51", c51, { low: 0, high: 1, atoms: 21 }],
  ["qr-dqn", qrDqn, { atoms: 11 }],
  ["rainbow with implicit quantiles", rainbow, { distribution: "implicit", epsilon: 0, cosines: 16 }],
] as const)("%s: continues exactly after saving and restoring", (_, maker, own) => {
  expectExactResume(() => maker({ ...quick, ...own }), corridor(), 512);
});

it("rainbow has all improvements of the paper, and its settings", () => {
  expect(rainbow().options).toMatchObject({
    ...{ double: true, dueling: true, noisy: true, epsilon: 0 },
    ...{ nStep: 3, distribution: "categorical", atoms: 51, low: -10, high: 10 },
    ...{ prioritised: true, alpha: 0.5, beta: { signal: "linear", from: 0.4, to: 1 } },
    ...{ tau: 1, adamEpsilon: 1.5e-4 },
  });
  // Both layers of both streams are noisy, here from 4 features and 6 units to 3 outputs for each of 2 actions.
  const network = qNetwork({ inputs: 4, actions: 2, atoms: 3, hidden: [6], dueling: true, noisy: true });
  const { advantage, value } = network.init(random.key(0));
  const spreads = (tree: Tree) =>
    leaves((tree as Tree[]).map((layer) => (layer as NoisyParams).weightSpread));
  expect([advantage, value].map((stream) => spreads(stream).map((t) => t.shape))).toEqual([
    [
      [4, 6],
      [6, 6],
    ],
    [
      [4, 6],
      [6, 3],
    ],
  ]);
});

it("a variant's errors carry its name", () => {
  const algorithm = c51({ low: 2, high: 1 });
  expect(() => trained({ algorithm, env: corridor(), steps: 10 })).toThrow(/^c51: .* Set low < high/);
});
