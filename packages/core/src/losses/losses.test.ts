import {
  add,
  div,
  exp,
  gt,
  mean,
  mul,
  random,
  type Tensor,
  tensor,
  valueAndGradient,
  where,
} from "@reins/tensor";
import { expect, it } from "vitest";
import { type LossInput, type LossTerm, sum } from "../loss.ts";
import { expectClose, reference } from "../targets/testing.ts";
import { type Aggregation, aggregated } from "./aggregation.ts";
import { behaviourCloning, type KlEstimator, referenceKl } from "./imitation.ts";
import {
  clipped,
  dropOutliers,
  klFromBehaviour,
  policyGradient,
  type Ratio,
  unclipped,
} from "./policy-gradient.ts";
import { detachedClip, dualClipped, geometricRatio, sequenceRatio } from "./ratios.ts";
import { entropy, entropyBand, valueError } from "./value.ts";
import { minus, weighted } from "./weight.ts";

const reported: Record<string, Tensor> = {};
const material = (scored: Partial<LossInput["scored"]>, columns: LossInput["columns"]): LossInput => ({
  scored: { logProb: tensor([0]), entropy: tensor([0]), ...scored },
  columns,
  key: random.key(0),
  report: (name, value) => {
    reported[name] = value;
  },
});

interface PostTraining {
  log_prob: number[][];
  old_log_prob: number[][];
  ref_log_prob: number[][];
  advantage_input: number[][];
  response_mask: number[][];
  values: number[][];
  losses: {
    loss: string;
    aggregation: string;
    mask: string;
    settings: { clip_ratio_low?: number; clip_ratio_high?: number };
    value: number;
    gradient_wrt_log_prob: number[][];
  }[];
  kl: { estimator: string; per_token: number[][] }[];
  aggregation: { mode: string; value: number }[];
  aggregation_input: number[][];
  mask_with_tool_tokens: number[][];
  value_loss: { vpreds: number[][]; returns: number[][]; cliprange: number; value: number };
}
const fixture = reference<PostTraining>("rl/post-training.json");

/** The mean over unmasked tokens, as the learner takes it. */
const tokenMean = (x: Tensor) => {
  const counts = tensor(fixture.response_mask);
  return div(mul(x, counts).sum(), counts.sum());
};

/** Columns of whole texts, [time, rows]: the fixture is transposed. */
const texts = (rows: number[][]) => tensor(rows[0].map((_, t) => rows.map((row) => row[t])));

it.each(
  fixture.losses.map(
    (l) => [`${l.loss}, ${l.aggregation}, ${JSON.stringify(l.settings)}, ${l.mask}`, l] as const,
  ),
)(
  "verl's value and gradient: %s",
  (_, { loss, aggregation, mask, settings, value: expected, gradient_wrt_log_prob }) => {
    const { clip_ratio_low: low = 0.2, clip_ratio_high: high = 0.2 } = settings;
    const ratio = {
      "ppo clip with dual clip c=3": dualClipped(low, high, 3),
      "ppo clip asymmetric": clipped(low, high),
      gspo: sequenceRatio(clipped(low, high)),
      cispo: detachedClip(low, high),
      gpg: undefined,
      "gmpo (geometric mean)": geometricRatio(low, high),
    }[loss];
    const how = {
      "token-mean": "token",
      "seq-mean-token-sum": "sum",
      "seq-mean-token-mean": "text",
      "seq-mean-token-sum-norm": "constant",
    }[aggregation] as Aggregation;
    // A geometric mean is one number for a text: its mean is over texts, despite the name.
    const term = aggregated(loss.startsWith("gmpo") ? "text" : how, policyGradient({ ratio }));
    const counts = texts(mask === "response" ? fixture.response_mask : fixture.mask_with_tool_tokens);
    const columns = {
      advantage: texts(fixture.advantage_input),
      logProb: texts(fixture.old_log_prob),
      alive: gt(counts, 0),
    };
    const { value, gradient } = valueAndGradient((logProb: Tensor) => {
      const each = term.value(material({ logProb }, columns));
      return div(mul(each, counts).sum(), counts.sum());
    })(texts(fixture.log_prob));
    expectClose(value, [expected]);
    expectClose(gradient, [...texts(gradient_wrt_log_prob).data]);
  },
);

it("aggregation is verl's", () => {
  const counts = texts(fixture.response_mask);
  const plain: LossTerm = { value: () => texts(fixture.aggregation_input) };
  const modes = {
    "token-mean": "token",
    "seq-mean-token-sum": "sum",
    "seq-mean-token-mean": "text",
    "seq-mean-token-sum-norm": "constant",
  } as const;
  for (const { mode, value } of fixture.aggregation) {
    const each = aggregated(modes[mode as "token-mean"], plain).value(material({}, { alive: gt(counts, 0) }));
    expectClose(div(mul(each, counts).sum(), counts.sum()), [value]);
  }
});

it("the sequence ratio of one token is the token ratio", () => {
  const columns = {
    advantage: tensor([[1, -2, 0.5]]),
    logProb: tensor([[-1, -0.4, -2]]),
    alive: tensor([[true, true, true]]),
  };
  const scored = { logProb: tensor([[-0.9, -0.5, -1.2]]) };
  const of = (ratio: Ratio) => policyGradient({ ratio }).value(material(scored, columns));
  expectClose(of(sequenceRatio(clipped(0.2))), [...of(clipped(0.2)).data]);
  const one = tensor([1]);
  expect(() => sequenceRatio(unclipped)({ ratio: one, advantage: one, columns: {}, logProb: one })).toThrow(
    "whole texts",
  );
});

it("the clipped value error is verl's", () => {
  const { vpreds, returns, cliprange, value } = fixture.value_loss;
  const columns = { return: tensor(returns), value: tensor(fixture.values) };
  const term = valueError({ clip: cliprange });
  const scored = { value: tensor(vpreds), logProb: tensor(fixture.log_prob) };
  expectClose(tokenMean(term.value(material(scored, columns))), [value]);
});

it("the KL divergence from a reference is verl's, for each estimator", () => {
  const scored = { logProb: tensor(fixture.log_prob) };
  for (const estimator of ["k1", "k2", "k3"] as KlEstimator[]) {
    const expected = fixture.kl.find((k) => k.estimator === estimator)!.per_token.flat();
    const columns = { reference: tensor(fixture.ref_log_prob) };
    expectClose(referenceKl(estimator).value(material(scored, columns)), expected);
    const extra = { reference: tensor(fixture.ref_log_prob) };
    expectClose(referenceKl(estimator).value(material({ ...scored, extra }, {})), expected);
  }
});

it("by hand: clipping binds only in the direction of improvement", () => {
  const ratios = [1.5, 0.5, 1.5, 0.5, 1.1];
  const columns = { advantage: tensor([1, 1, -1, -1, 2]), logProb: tensor([0, 0, 0, 0, 0]) };
  const scored = { logProb: tensor(ratios.map(Math.log)), entropy: tensor([1, 2, 3, 4, 5]) };
  const term = policyGradient({ ratio: clipped(0.2), clip: 0.2 });
  expectClose(term.value(material(scored, columns)), [-1.2, -0.5, 1.5, 0.8, -2.2]);
  expect(mean(reported["policy/clipped"]).item()).toBeCloseTo(0.8);
  expect(mean(reported["policy/entropy"]).item()).toBeCloseTo(3);
  expect(mean(reported["policy/ratio"]).item()).toBeCloseTo(1.02);
  const plain = policyGradient({ ratio: unclipped });
  expectClose(plain.value(material(scored, columns)), [-1.5, -0.5, 1.5, 0.5, -2.2]);
});

it("by hand: the plain gradient, cloning, entropy and the value's error", () => {
  const scored = { logProb: tensor([-1, -2]), entropy: tensor([0.5, 0.25]), value: tensor([3, 5]) };
  const columns = { advantage: tensor([2, -1]), return: tensor([1, 5]), value: tensor([0, 5]) };
  const m = material(scored, columns);
  expectClose(policyGradient().value(m), [2, -2]);
  expectClose(behaviourCloning().value(m), [1, 2]);
  expectClose(entropy().value(m), [0.5, 0.25]);
  // Entropies of 0.5 and 0.25: below 0.72 to 1.08, within 0.2 to 0.3, above 0.32 to 0.48.
  expectClose(entropyBand(0.9, 0.2).value(m), [0.22, 0.47]);
  expectClose(entropyBand(0.25, 0.2).value(m), [0.2, 0]);
  expectClose(entropyBand(0.4, 0.2).value(m), [0.02, 0.07]);
  expectClose(valueError().value(m), [2, 0]);
  // Clipped to within 0.2 of 0, the value 3 becomes 0.2; the larger error counts.
  expectClose(valueError({ clip: 0.2 }).value(m), [2, 0]);
  expectClose(sum(weighted(2, behaviourCloning()), minus(4, entropy())).value(m), [2 - 2, 4 - 1]);
});

it("gradients of every term match finite differences", () => {
  const columns = {
    advantage: tensor([1, -2, 0.5]),
    logProb: tensor([-1, -0.4, -2]),
    reference: tensor([-0.7, -1, -0.3]),
    return: tensor([0.3, -1, 2]),
    value: tensor([0.1, 0.2, 0.3]),
  };
  const at = tensor([-0.9, -0.5, -1.2]);
  const terms: LossTerm[] = [
    policyGradient({ ratio: clipped(0.5) }),
    policyGradient({ ratio: unclipped }),
    policyGradient(),
    klFromBehaviour(),
    referenceKl("k2"),
    referenceKl("k3"),
    valueError(),
    behaviourCloning(),
  ];
  for (const term of terms) {
    const loss = (x: Tensor) => mean(term.value(material({ logProb: x, value: x }, columns)));
    const { gradient } = valueAndGradient(loss)(at);
    const step = 1e-2;
    for (let i = 0; i < 3; i++) {
      const shifted = (by: number) => loss(add(at, tensor([0, 1, 2].map((k) => (k === i ? by : 0))))).item();
      expect(gradient.data[i]).toBeCloseTo((shifted(step) - shifted(-step)) / (2 * step), 3);
    }
  }
});

it("movement is 0 for the behaviour policy, and on average the KL divergence from it", () => {
  const logits = [0.2, -0.3, 0.9];
  const normalise = (l: number[]) => l.map((x) => x - Math.log(l.reduce((s, y) => s + Math.exp(y), 0)));
  const [old, now] = [normalise(logits), normalise([0.7, 0, 0])];
  const value = klFromBehaviour().value(material({ logProb: tensor(now) }, { logProb: tensor(old) }));
  const expected = old.reduce((s, l, i) => s + Math.exp(l) * (l - now[i]), 0);
  expect(
    mul(value, exp(tensor(old)))
      .sum()
      .item(),
  ).toBeCloseTo(expected, 5);
  const still = klFromBehaviour().value(material({ logProb: tensor(old) }, { logProb: tensor(old) }));
  expectClose(still, [0, 0, 0]);
});

it("a missing critic is an error", () => {
  expect(() => valueError().value(material({}, { return: tensor([1]) }))).toThrow("the policy has no critic");
});

it("a weight may differ from step to step", () => {
  const columns = { weight: tensor([1, 0]) };
  const scored = { logProb: tensor([-1, -2]) };
  const { value } = weighted(columns.weight, behaviourCloning());
  expectClose(where(tensor([true, true]), value(material(scored, columns)), 0), [1, 0]);
});

it("a minibatch of padding has a loss of 0 under every aggregation", () => {
  const columns = { alive: tensor([[false, false]]) };
  for (const how of ["token", "text", "sum", "constant"] as const) {
    const each = aggregated(how, behaviourCloning()).value(
      material({ logProb: tensor([[-1, -2]]) }, columns),
    );
    expectClose(mul(each, 0), [0, 0]);
  }
});

it("a sum corrects for stale weights only if every term that needs it does", () => {
  const ratio = policyGradient({ ratio: clipped(0.2) });
  expect(sum(ratio, entropy()).corrects).toBe(true);
  expect(sum(policyGradient(), entropy()).corrects).toBe(false);
  expect(sum(policyGradient(), ratio).corrects).toBe(false);
});

it("outliers are those among the samples that enter the loss", () => {
  const values = [1, 2, 3, 10, -4, 2.5, 1.5, 0.5];
  const masked = [1e6, -1e6, 50];
  const lossOf = (advantage: number[], alive?: boolean[]) =>
    dropOutliers(
      0.25,
      unclipped,
    )({
      ratio: tensor(advantage.map(() => 1)),
      logProb: tensor(advantage.map(() => 0)),
      advantage: tensor(advantage),
      columns: alive ? { alive: tensor(alive) } : {},
    });
  const alone = [...lossOf(values).data];
  // 10 and -4 are furthest from the mean; the others weigh 8 / 6.
  expect(alone.map((x) => x === 0)).toEqual([false, false, false, true, true, false, false, false]);
  expect(alone[0]).toBeCloseTo(-8 / 6, 6);
  const both = lossOf(
    [...masked.slice(0, 2), ...values, masked[2]],
    [false, false, ...values.map(() => true), false],
  );
  expectClose(Array.from(both.data).slice(2, 10), alone);
  expectClose(
    lossOf(
      values,
      values.map(() => true),
    ),
    alone,
  );
});
