import { recipe } from "../make.ts";
import type { Contract } from "./testing.ts";

/** A theorem: tied optima make the best policy discontinuous; entropy makes it continuous, at the cost of randomness. */
export const policyCliff: Contract = {
  recipe: (side) =>
    recipe({
      id: "policy-cliff",
      paper: "The Policy Cliff: A Theoretical Analysis of Reward-Policy Maps in Large Language Models",
      source: "arXiv:2507.20150",
      about:
        "Where optimal actions are tied, a small change of the reward turns the policy over; entropy makes the map continuous.",
      system: side("soft"),
      baselines: [side("hard")],
      metrics: {
        jump: { about: "distance of policies after a small change", better: "lower", worst: 1, best: 0 },
        excess: { about: "change above the Lipschitz bound", better: "lower", worst: 1e3, best: "open" },
        entropy: { about: "entropy of the policy", better: "lower", worst: 10, best: 0 },
        untied: { about: "distance where nothing was tied", better: "lower", worst: 1, best: 0 },
      },
      claims: [
        { kind: "holds", metric: "excess", tolerance: 1e-9, because: "a theorem" },
        { metric: "jump", smallest: 0.25, because: "a quarter of all answers" },
        {
          kind: "equals",
          metric: "jump",
          of: "hard",
          value: 1,
          within: 0.05,
          because: "the theorem says that it turns over",
        },
        {
          kind: "holds",
          metric: "untied",
          of: "hard",
          tolerance: 1e-9,
          because: "unique optima do not move",
        },
        {
          metric: "entropy",
          smallest: 0.1,
          direction: "higher",
          because: "stability is said to cost randomness",
          paper: "at the cost of increased stochasticity",
        },
      ],
      replicates: "MDP",
      budget: { unit: "perturbations", full: 100, quick: 5 },
      deviations: ["Trees with tied leaves; no language model is perturbed."],
    }),
  cases: [
    {
      made: {
        soft: { jump: [0.05, 0.01], excess: [-0.2, 0.01], entropy: [1.2, 0.1], untied: [0.02, 0.002] },
        hard: { jump: (_, z) => Math.min(1, 0.995 + 0.01 * z), excess: 50, entropy: 0, untied: 0 },
      },
      implies: ["shown", "shown", "shown", "shown", "shown"],
    },
  ],
};
