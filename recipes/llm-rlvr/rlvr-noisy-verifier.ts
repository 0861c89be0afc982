import { grpo } from "@reins/algorithms";
import { arm, sums } from "../testbeds/sums.ts";
import { forward, noisyVerifier, plain } from "./rlvr-noisy-verifier.parts.ts";

const channel = { falsePositive: 0.1, falseNegative: 0.3 };
/** Weights take the place of advantages. */
const given = { baseline: "none", scale: "none" } as const;

export default sums.recipe({
  id: "rlvr-noisy-verifier",
  paper: "Reinforcement Learning with Verifiable yet Noisy Rewards under Imperfect Verifiers",
  source: {
    paper: "arXiv:2510.00915",
    equations:
      "the reward channel, and the weights of the forward correction (ρ₁ − 1 and ρ₁), after the abstract and a public summary of the paper",
  },
  about:
    "The verifier accepts wrong answers at one rate and rejects correct ones at another. The forward correction weights the score function by ρ₁ for an accepted answer and by ρ₁ − 1 for a rejected one, ρ₁ being the rate of false rejections: in expectation a correct answer has the weight 0 and a wrong one a negative weight, as with a perfect verifier up to a baseline. Claimed: higher accuracy than without correction, and stable learning under heavy noise.",
  system: arm("forward correction", grpo, given, { parts: noisyVerifier(channel, forward) }),
  baselines: [arm("GRPO with noise", grpo, {}, { parts: noisyVerifier(channel, plain) })],
  ablation: arm("weights without correction", grpo, given, { parts: noisyVerifier(channel, plain) }),
  presupposes: {
    room: { least: 0.1, because: "where everything is solved the verifier's errors no longer matter" },
  },
  claims: [
    {
      metric: "area",
      contrast: ["forward correction", "GRPO with noise"],
      paper: "higher accuracy than uncorrected GRPO at all noise rates",
    },
  ],
  deviations: [
    "The verifier is exact, so errors are added: one wrong answer in ten is accepted and three correct ones in ten are rejected, in the system, its ablation and the baseline with noise. Evaluation is exact. The testbed's other baselines have no noise and show what it costs.",
    "The weight is the observed outcome minus the constant 1 − ρ₁. It replaces group-relative advantages, in which this and any affine correction cancel, the backward correction too, so that the corrected arm has no baseline of its group. How the authors join the weights with group normalisation is not known to us.",
    "The rate of false rejections is known; the appeals that estimate it are left out.",
  ],
  finding: (f) =>
    `Against GRPO with the same noise the forward correction changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("forward correction", "accuracy")} (GRPO with noise ${f.mean("GRPO with noise", "accuracy")}, without noise ${f.mean("GRPO", "accuracy")}, with the observed outcome as the weight ${f.mean("weights without correction", "accuracy")}).`,
});
