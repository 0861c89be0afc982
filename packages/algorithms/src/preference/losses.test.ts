import { scalar, setBackend, type Tensor, tensor, valueAndGradient } from "@reins/tensor";

import { describe, expect, it } from "vitest";
import { aotLoss, aotUnpairedLoss } from "./aot.ts";
import { apoDownLoss, apoZeroLoss } from "./apo.ts";
import { bcoLoss } from "./bco.ts";
import { bradleyTerryLoss } from "./bradley-terry.ts";
import { alphaReward, cpoLoss, simpoLoss } from "./cpo.ts";
import { discoPopLoss } from "./discopop.ts";
import { type Divergence, implicitReward } from "./divergences.ts";
import { dpoLoss } from "./dpo.ts";
import { exoLoss } from "./exo.ts";
import { ipoLoss } from "./ipo.ts";
import { ncaLoss } from "./nca.ts";
import { oddsRatioLoss } from "./orpo.ts";
import { chosenLikelihood, logRatioPerToken, type PairLoss, type Pairs, pairTerm } from "./pairs.ts";
import { robustLoss } from "./robust-dpo.ts";
import { hingeLoss } from "./slic.ts";
import { sppoLoss } from "./sppo.ts";
import { evaluated, fixture } from "./testing-fixture.ts";

setBackend("wasm");

/** One case of fixtures/rl/preferences.json. */
interface Case {
  readonly loss: string;
  readonly beta: number;
  readonly smoothing?: number;
  readonly label_smoothing?: number;
  readonly divergence?: string;
  readonly alpha?: number;
  readonly simpo_gamma?: number;
  readonly value: number;
  readonly gradient: readonly number[];
}

const cases = fixture.cases as readonly Case[];

const divergence: { readonly [name: string]: Divergence } = {
  reverse_kl: "reverse-kl",
  forward_kl: "forward-kl",
  js_divergence: "js",
  alpha_divergence: "alpha",
};

/** The loss that a case of TRL describes. */
function lossOf(c: Case): PairLoss {
  const { beta, smoothing = c.label_smoothing ?? 0 } = c;
  const known: { readonly [name: string]: () => PairLoss } = {
    sigmoid: () => dpoLoss(beta, smoothing, implicitReward(divergence[c.divergence!], c.alpha ?? 1)),
    hinge: () => hingeLoss(beta),
    ipo: () => ipoLoss(beta),
    nca_pair: () => ncaLoss(beta),
    // The fixture's running mean has not been updated yet.
    bco_pair: () => bcoLoss(beta, () => scalar(0)),
    sppo_hard: () => sppoLoss(beta),
    aot: () => aotLoss(beta, smoothing),
    aot_unpaired: () => aotUnpairedLoss(beta, smoothing),
    apo_zero: () => apoZeroLoss(beta),
    apo_down: () => apoDownLoss(beta),
    discopop: () => discoPopLoss(beta, 0.05),
    sft: () => chosenLikelihood,
    sigmoid_norm: () => dpoLoss(beta, smoothing, logRatioPerToken),
    robust: () => robustLoss(beta, smoothing),
    exo_pair: () => exoLoss(beta, smoothing),
    // TRL returns the term that is subtracted.
    "orpo-odds-ratio": () => (pairs) => oddsRatioLoss()(pairs).mul(-beta),
    "cpo-simpo": () => simpoLoss(beta, c.simpo_gamma!, smoothing),
    "cpo-sigmoid": () => cpoLoss("logistic", beta, smoothing),
    "cpo-hinge": () => cpoLoss("hinge", beta),
    "cpo-ipo": () => cpoLoss("squared", beta),
    alphapo: () => simpoLoss(beta, c.simpo_gamma!, smoothing, alphaReward(c.alpha!)),
  };
  return known[c.loss]();
}

const pairCases = cases.filter((c) => "gradient" in c);

describe("losses of TRL, with their gradients", () => {
  it("are all there", () => expect(pairCases).toHaveLength(26));

  it.each(pairCases.map((c, i) => [`${i} ${c.loss} ${c.divergence ?? ""}`, c] as const))("%s", (_, c) => {
    const { value, gradient } = evaluated(pairTerm(lossOf(c)));
    expect(value).toBeCloseTo(c.value, 5);
    const scale = Math.max(...c.gradient.map(Math.abs));
    gradient.forEach((g, i) => {
      expect(Math.abs(g - c.gradient[i]), `token ${i}: ${g}, expected ${c.gradient[i]}`).toBeLessThan(
        2e-6 * Math.max(1, scale),
      );
    });
    // Padding changes nothing, and its gradient is finite.
    const padded = evaluated(pairTerm(lossOf(c)), { padded: 8 });
    expect(padded.value).toBeCloseTo(value, 6);
    padded.gradient.forEach((g, i) =>
      expect(Math.abs(g - gradient[i])).toBeLessThan(1e-6 * Math.max(1, scale)),
    );
  });
});

it.each([
  [0.05, -1],
  [0.11, 1],
])("DiscoPOP's loss with temperature %f changes a margin of 0 in direction %i", (temperature, direction) => {
  const { gradient } = valueAndGradient((margin: Tensor) => {
    const [chosen, rejected] = [{ logRatio: margin }, { logRatio: scalar(0) }];
    return discoPopLoss(1, temperature)({ chosen, rejected } as Pairs);
  })(scalar(0));
  expect(Math.sign(-gradient.item())).toBe(direction);
});

/** A case of a reward model's loss. */
interface RewardCase {
  readonly loss: string;
  readonly chosen: readonly number[];
  readonly rejected: readonly number[];
  readonly margin?: readonly number[];
  readonly value: number;
  readonly gradientChosen: readonly number[];
  readonly gradientRejected: readonly number[];
}

describe("losses of reward models", () => {
  const rewardCases = (cases as readonly unknown[]).filter(
    (c): c is RewardCase => "gradientChosen" in (c as object),
  );
  it("are all there", () => expect(rewardCases).toHaveLength(3));

  it.each(rewardCases.map((c) => [c.loss, c] as const))("%s", (name, c) => {
    const { value, gradient } = valueAndGradient((rewards: { chosen: Tensor; rejected: Tensor }) =>
      bradleyTerryLoss(rewards.chosen, rewards.rejected, {
        ...(c.margin ? { margin: tensor([...c.margin]) } : {}),
        ...(name.endsWith("centred") ? { centring: 0.01 } : {}),
      }),
    )({ chosen: tensor([...c.chosen]), rejected: tensor([...c.rejected]) });
    expect(value.item()).toBeCloseTo(c.value, 5);
    c.gradientChosen.forEach((g, i) => expect(gradient.chosen.data[i]).toBeCloseTo(g, 6));
    c.gradientRejected.forEach((g, i) => expect(gradient.rejected.data[i]).toBeCloseTo(g, 6));
  });
});
