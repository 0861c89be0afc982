import type { LossTerm } from "@reins/core";
import { random, setBackend, sum, type Tensor, tensor, valueAndGradient } from "@reins/tensor";
import { expect, it } from "vitest";
import { pairTerm } from "../pairs.ts";
import { completionTerm } from "./completion-term.ts";
import { egpoLoss } from "./egpo.ts";
import { inpoLoss } from "./inpo.ts";
import { nashMdLoss } from "./nash-md.ts";
import { onlineSppoLoss } from "./online-sppo.ts";

setBackend("wasm");

/** Three completions of one token in a cyclic game, and policies over them as logits. */
const payoffs = [
  [0.5, 0.1, 0.9],
  [0.9, 0.5, 0.2],
  [0.1, 0.8, 0.5],
];
const logits = [0.3, -0.2, 0.1];
const reference = [0.1, 0.4, -0.6];
const softmax = (x: readonly number[]) => {
  const weights = x.map(Math.exp);
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((w) => w / total);
};
const policy = softmax(logits);
const winsAgainst = (opponent: readonly number[]) =>
  payoffs.map((row) => row.reduce((s, p, j) => s + p * opponent[j], 0));

/** The gradient of a term with respect to the logits; `rows` are the completions of a batch. */
function gradientOf(term: LossTerm, rows: readonly number[], wins: readonly number[]): number[] {
  const of = (numbers: readonly number[]) =>
    tensor(
      rows.map((row) => numbers[row]),
      { shape: [1, rows.length] },
    );
  const logOf = (x: readonly number[]) => softmax(x).map(Math.log);
  const { gradient } = valueAndGradient((x: Tensor) => {
    const all = x.sub(sum(x.exp()).log());
    const logProb = all.take(tensor([...rows], { dtype: "i32" })).reshape([1, rows.length]);
    const each = term.value({
      scored: { logProb, entropy: logProb },
      columns: {
        alive: of([1, 1, 1]).gt(0.5),
        reference: of(logOf(reference)),
        logProb: of(logOf(logits)),
        ...(wins.length ? { wins: of(wins) } : {}),
      },
      key: random.key(0),
      report() {},
    });
    return sum(each).div(rows.length);
  })(tensor(logits));
  return [...gradient.data];
}

const centred = (x: readonly number[]) => x.map((v) => v - x.reduce((a, b) => a + b, 0) / x.length);

it("EGPO's gradient over all pairs is the step of the paper in logits", () => {
  const beta = 0.4;
  const wins = winsAgainst(softmax([0.5, 0.5, -1]));
  const pairs = [0, 1, 2].flatMap((i) => [0, 1, 2].flatMap((j) => [i, j]));
  const gradient = gradientOf(pairTerm(egpoLoss(beta)), pairs, wins);
  // θ' = (1 - ηβ) θ + ηβ θ₀ + η P(· ≻ π'), up to a constant, is θ - (ηβ |Y| / 4) times the gradient.
  const eta = 0.3;
  const step = gradient.map((g) => -((eta * beta * 3) / 4) * g);
  const paper = logits.map((x, k) => eta * (beta * (reference[k] - x) + wins[k]));
  centred(paper).forEach((d, k) => expect(step[k]).toBeCloseTo(d, 5));
});

/** Completions in proportion to the policy, so that means over rows are expectations to three digits. */
const drawn = policy.flatMap((p, k) => new Array<number>(Math.round(4000 * p)).fill(k));

it("Nash-MD's gradient is that of the regularised payoff against the mixture, by finite differences", () => {
  const anchor = 0.3;
  const mix = softmax(logits.map((x, k) => 0.75 * x + 0.25 * reference[k]));
  const wins = winsAgainst(mix);
  const payoff = (x: readonly number[]) => {
    const [p, q] = [softmax(x), softmax(reference)];
    return p.reduce((s, pk, k) => s + pk * (wins[k] - anchor * Math.log(pk / q[k])), 0);
  };
  const gradient = gradientOf(completionTerm(nashMdLoss(anchor), false), drawn, wins);
  const moved = (k: number, by: number) => logits.map((x, j) => (j === k ? x + by : x));
  gradient.forEach((g, k) => {
    const difference = (payoff(moved(k, 1e-5)) - payoff(moved(k, -1e-5))) / 2e-5;
    expect(-g).toBeCloseTo(difference, 3);
  });
});

it("INPO's step is the inverse of a step size: the higher, the less it moves", () => {
  const moves = [0.5, 1, 2].map((step) => {
    const gradient = gradientOf(pairTerm(inpoLoss({ step, anchor: 0 })), [0, 1], []);
    return Math.hypot(...gradient);
  });
  expect(moves[1]).toBeCloseTo(moves[0] / 2, 5);
  expect(moves[2]).toBeCloseTo(moves[0] / 4, 5);
});

it("SPPO's gradient is the policy gradient of η times the win rate", () => {
  const [eta, wins] = [2, winsAgainst(policy)];
  const gradient = gradientOf(completionTerm(onlineSppoLoss(eta), true), drawn, wins);
  // ∂/∂θ of E(log π - log π_t - η (P - 1/2))² at π = π_t is -2η π (P - 1/2), as the mean of P is 1/2.
  gradient.forEach((g, k) => expect(g).toBeCloseTo(-2 * eta * policy[k] * (wins[k] - 0.5), 2));
});
