import type { AlgorithmMaker, JudgedEpisode, ScoringPolicy } from "@reins/core";
import { makers, pack } from "@reins/core/episodes";
import { lossGradient } from "@reins/core/loops";
import * as targets from "@reins/core/targets";
import {
  broadcastTo,
  exp,
  logSoftmax,
  mul,
  neg,
  pick,
  random,
  sum,
  type Tensor,
  tensor,
  valueAndGradient,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { grpo } from "../grpo.ts";
import { remax } from "../remax.ts";
import { rloo } from "../rloo.ts";
import { advantages } from "./advantages.ts";
import { groupLoss } from "./loss.ts";
import type { options, Settings } from "./options.ts";
import { expectNear, settingsOf } from "./testing.ts";

/** Three one-step choices, and their rewards. */
const logits = [0.4, -0.3, 1.1];
const rewards = [0.3, 1, -0.5];
const total = logits.reduce((s, x) => s + Math.exp(x), 0);
const chances = logits.map((x) => Math.exp(x) / total);
const value = chances.reduce((s, p, a) => s + p * rewards[a], 0);
/** The gradient of the expected reward by the logits. */
const truth = chances.map((p, a) => p * (rewards[a] - value));

const choosing: ScoringPolicy<{ logits: Tensor }> = {
  likelihood: "exact",
  memory: true,
  init: () => ({ logits: tensor(logits) }),
  score(weights, { action }) {
    const of = action as Tensor;
    const p = broadcastTo(logSoftmax(weights.logits), [...of.shape, 3]);
    return { logProb: pick(p, of), entropy: neg(sum(mul(exp(p), p), -1)) };
  },
};

/** The sample of a choice. */
function play(choice: number, greedy: boolean): JudgedEpisode {
  const reward = rewards[choice];
  return {
    episode: {
      columns: {
        by: tensor(Uint8Array.of(makers.indexOf(greedy ? "environment" : "policy")), { dtype: "u8" }),
      },
      segments: [{ from: 0, to: 1 }],
      terminated: true,
      truncated: false,
      return: [],
      group: "g",
      ...(greedy ? { role: "greedy" as const } : {}),
    },
    verdict: { reward },
    reward,
  };
}

/** A method's gradient estimate for these choices, with an optional greedy one. */
function estimated(o: Settings, choices: readonly number[]): number[] {
  const greedy = o.baseline === "greedy" ? [logits.indexOf(Math.max(...logits))] : [];
  const all = [...choices, ...greedy];
  const judged = all.map((a, i) => play(a, i >= choices.length));
  const batch = pack(judged.map((j) => j.episode));
  const row = (values: ArrayLike<number>, dtype: "f32" | "i32" | "bool" = "f32") =>
    tensor([Array.from(values)], { dtype });
  const columns = {
    observation: row(all, "i32"),
    action: row(all, "i32"),
    logProb: row(all.map((a) => Math.log(chances[a]))),
    advantage: row(
      targets.spread(
        advantages(
          o,
          batch,
          Float64Array.from(judged, (j) => j.reward),
          judged,
        ),
        batch,
      ),
    ),
    alive: row(
      judged.map((_, i) => (i < choices.length ? 1 : 0)),
      "bool",
    ),
  };
  const { gradient } = lossGradient(groupLoss(o), {
    policy: choosing,
    weights: { logits: tensor(logits) },
    columns,
    state: {},
    key: random.key(0),
  });
  return [...(gradient as { logits: Tensor }).logits.data];
}

/** All outcomes of a group of this size, with their probabilities. */
function outcomes(n: number): { choices: number[]; chance: number }[] {
  if (n === 0) return [{ choices: [], chance: 1 }];
  return outcomes(n - 1).flatMap(({ choices, chance }) =>
    chances.map((p, a) => ({ choices: [...choices, a], chance: chance * p })),
  );
}

/** The expectation of a method's estimates over all outcomes. */
function expected(maker: AlgorithmMaker<typeof options>, given: object, n: number): number[] {
  const o = settingsOf(maker, given);
  const mean = [0, 0, 0];
  for (const { choices, chance } of outcomes(n))
    estimated(o, choices).forEach((g, k) => (mean[k] -= chance * g));
  return mean;
}

describe("the expected gradient estimate, over all outcomes of a group", () => {
  const plain = { scale: "none", ratioBound: "none", epochs: 1 };
  it.each([2, 3])("RLOO: the true gradient, with groups of %i", (n) => {
    expectNear(expected(rloo, {}, n), truth);
  });
  it.each([1, 2, 3])("REINFORCE without a baseline: the true gradient, with groups of %i", (n) => {
    expectNear(expected(grpo, { ...plain, baseline: "none" }, n), truth);
  });
  it.each([1, 2])("ReMax: the true gradient, with groups of %i", (n) => {
    expectNear(expected(remax, {}, n), truth);
  });
  it.each([2, 3])("the group mean as baseline: (n - 1) / n of the true gradient, with groups of %i", (n) => {
    const part = truth.map((g) => (g * (n - 1)) / n);
    expectNear(expected(grpo, { ...plain, baseline: "mean" }, n), part);
  });
  it("dividing by the group's standard deviation changes the direction", () => {
    const [a, b, c] = expected(grpo, { ...plain, scale: "std" }, 3);
    const along = (a * truth[0] + b * truth[1] + c * truth[2]) / Math.hypot(a, b, c) / Math.hypot(...truth);
    expect(along).toBeGreaterThan(0.5);
    expect(along).toBeLessThan(0.999);
  });
});

describe("a text's ratio", () => {
  const moved = [-0.9, 0.25, -0.25, 1.4, 0.1, -1.4, 2.5, 0];
  const columns = {
    advantage: tensor([moved.map((_, i) => (i % 3) - 0.7)]),
    logProb: tensor([moved.map((_, i) => -1 - i / 4)]),
    alive: tensor([moved.map(() => true)]),
  };
  const at = tensor([moved.map((d, i) => -1 - i / 4 + d)]);

  it.each(["clip", "dual"] as const)(
    "equals the token-level loss and gradient for one-token completions, bounded by %s",
    (hold) => {
      const of = (ratio: "text" | "token") => {
        const term = groupLoss(settingsOf(grpo, { ratioBound: hold, ratio, clip: 0.2, clipHigh: 0.3 }));
        const found = valueAndGradient((logProb: Tensor): readonly [Tensor, Tensor] => {
          const scored = { logProb, entropy: mul(logProb, 0) };
          const each = term.value({ scored, columns, key: random.key(0), report: () => {} });
          return [sum(each), each];
        })(at);
        return [...found.aux.data, ...found.gradient.data];
      };
      const [text, token] = [of("text"), of("token")];
      expectNear(text, token);
      // Some ratios are clipped and some are not, so that the test covers both.
      const gradient = token.slice(moved.length);
      expect(gradient.filter((g) => g === 0).length).toBeGreaterThan(0);
      expect(gradient.filter((g) => g !== 0).length).toBeGreaterThan(1);
    },
  );
});
