import { recipe } from "../make.ts";
import type { Contract } from "./testing.ts";

const success = { better: "higher", worst: 0, best: 1 } as const;

/** Memory rewriting: an order, and a larger gap in rewriting than in retention. */
export const memoryRewriting: Contract = {
  recipe: (side) =>
    recipe({
      id: "memory-rewriting-bench",
      paper: "Memory Retention Is Not Enough to Master Memory Tasks in Reinforcement Learning",
      source: "arXiv:2601.15086",
      about:
        "Where cues are replaced, an LSTM beats structured memories, and these a transformer, though all can keep one cue.",
      system: side("lstm"),
      baselines: [side("stable hadamard"), side("fast and forgetful"), side("transformer"), side("none")],
      metrics: {
        rewriting: { about: "success with cues replaced", ...success },
        retention: { about: "success with one cue", ...success },
        fixed: { about: "success, corridors of one length", ...success },
        longer: { about: "success with more cues than in training", ...success },
      },
      claims: [
        {
          kind: "ordering",
          metric: "rewriting",
          sides: ["lstm", "stable hadamard", "transformer", "none"],
          smallest: 0.05,
          because: "one episode of twenty",
        },
        {
          kind: "interaction",
          metric: ["rewriting", "retention"],
          smallest: 0.1,
          contrast: ["lstm", "transformer"],
          because: "a gap in keeping would explain one in rewriting",
          paper: "transformers often fail beyond trivial retention",
          presupposes: {
            metric: "retention",
            side: "transformer",
            least: 0.8,
            because: "it must keep one cue to be told from one that learns nothing",
          },
        },
        {
          kind: "interaction",
          metric: ["rewriting", "fixed"],
          smallest: 0.1,
          contrast: ["lstm", "stable hadamard"],
          because: "structured memories are said to work under narrow conditions only",
        },
        { metric: "longer", smallest: 0.1, contrast: ["lstm", "each"], because: "two episodes of twenty" },
      ],
      budget: { unit: "steps", full: 1e6, quick: 1e3 },
      deviations: ["Corridors without pixels; memories of equal numbers of parameters."],
    }),
  cases: [
    {
      made: {
        lstm: { rewriting: [0.9, 0.03], retention: [0.97, 0.01], fixed: [0.92, 0.03], longer: [0.8, 0.05] },
        "stable hadamard": {
          rewriting: [0.7, 0.05],
          retention: [0.96, 0.01],
          fixed: [0.9, 0.03],
          longer: [0.5, 0.05],
        },
        "fast and forgetful": {
          rewriting: [0.65, 0.05],
          retention: [0.95, 0.01],
          fixed: [0.85, 0.03],
          longer: [0.5, 0.05],
        },
        transformer: {
          rewriting: [0.55, 0.05],
          retention: [0.95, 0.01],
          fixed: [0.6, 0.05],
          longer: [0.4, 0.05],
        },
        none: { rewriting: [0.4, 0.03], retention: [0.5, 0.02], fixed: [0.4, 0.03], longer: [0.4, 0.03] },
      },
      implies: ["shown", "shown", "shown", "shown"],
    },
    {
      // The transformer learns nothing at all, and two of the order are equal.
      made: {
        lstm: { rewriting: [0.9, 0.02], retention: [0.97, 0.01], fixed: [0.92, 0.02], longer: [0.8, 0.05] },
        "stable hadamard": {
          rewriting: [0.9, 0.02],
          retention: [0.96, 0.01],
          fixed: [0.92, 0.02],
          longer: [0.5, 0.05],
        },
        "fast and forgetful": {
          rewriting: [0.65, 0.05],
          retention: [0.95, 0.01],
          fixed: [0.85, 0.03],
          longer: [0.95, 0.02],
        },
        transformer: {
          rewriting: [0.55, 0.05],
          retention: [0.5, 0.01],
          fixed: [0.6, 0.05],
          longer: [0.4, 0.05],
        },
        none: { rewriting: [0.4, 0.03], retention: [0.5, 0.02], fixed: [0.4, 0.03], longer: [0.4, 0.03] },
      },
      implies: ["negligible", "untestable", "negligible", "reversed"],
    },
  ],
};
