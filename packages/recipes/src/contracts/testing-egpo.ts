import { recipe } from "../make.ts";
import type { Contract } from "./testing.ts";

/** Self-play that converges: a rate that is a bound, gaps compared with others, and noise. */
export const egpo: Contract = {
  recipe: (side) =>
    recipe({
      id: "egpo",
      paper:
        "Extragradient Preference Optimization (EGPO): Beyond Last-Iterate Convergence for Nash Learning from Human Feedback",
      source: "arXiv:2503.08942",
      about:
        "The last policy comes to the equilibrium of a preference game at a linear rate, sooner than others, with noisy gradients too.",
      system: side("egpo"),
      baselines: [side("online ipo"), side("nash-md"), side("mpo")],
      metrics: {
        gap: { about: "log duality gap", better: "lower", worst: 5, best: "open" },
        noisy: { about: "log duality gap with noise", better: "lower", worst: 5, best: "open" },
        wins: { about: "win-rate over the reference", better: "higher", worst: 0, best: 1 },
        excess: {
          about: "log gap above the linear rate, at worst",
          better: "lower",
          worst: 10,
          best: "open",
        },
      },
      claims: [
        {
          metric: "gap",
          smallest: 1,
          contrast: ["egpo", "each"],
          because: "a gap of less than a third in the same updates",
          paper: "the last iterate converges at a linear rate",
        },
        { kind: "holds", metric: "excess", tolerance: 1e-6, because: "the theorem says so of every iterate" },
        {
          metric: "noisy",
          smallest: 0.5,
          contrast: ["egpo", "each"],
          because: "a gap of 60%, where gradients are noisy",
        },
        { metric: "wins", smallest: 0.03, because: "three of a hundred are seen by people", interval: "bca" },
      ],
      replicates: "game",
      budget: { unit: "updates", full: 2000, quick: 10 },
      deviations: [
        "Tabular policies on drawn preference matrices; wins are against the reference, not each other.",
      ],
    }),
  cases: [
    {
      made: {
        egpo: { gap: [-8, 0.5], noisy: [-4, 0.3], wins: [0.8, 0.02], excess: [-0.5, 0.01] },
        "online ipo": { gap: [-3, 0.5], noisy: [-2.5, 0.3], wins: [0.72, 0.02], excess: 3 },
        "nash-md": { gap: [-4, 0.5], noisy: [-3, 0.3], wins: [0.7, 0.02], excess: 2 },
        mpo: { gap: [-5, 0.5], noisy: [-3, 0.3], wins: [0.71, 0.02], excess: 1 },
      },
      implies: ["shown", "shown", "shown", "shown"],
    },
    {
      // One baseline is as good: `each` requires all of them.
      made: {
        egpo: { gap: [-8, 0.2], noisy: [-4, 0.3], wins: [0.8, 0.01], excess: 0.2 },
        "online ipo": { gap: [-3, 0.2], noisy: [-2.5, 0.3], wins: [0.72, 0.02], excess: 3 },
        "nash-md": { gap: [-8, 0.2], noisy: [-6, 0.3], wins: [0.81, 0.01], excess: 0.2 },
        mpo: { gap: [-5, 0.2], noisy: [-3, 0.3], wins: [0.71, 0.02], excess: 1 },
      },
      implies: ["negligible", "reversed", "reversed", "negligible"],
    },
  ],
};
