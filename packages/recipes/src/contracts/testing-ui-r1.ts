import { recipe } from "../make.ts";
import type { Contract } from "./testing.ts";

const accuracy = { better: "higher", worst: 0, best: 1 } as const;

/** Rule-based rewards with few examples: against the base model, and against imitation of many more. */
export const uiR1: Contract = {
  recipe: (side) =>
    recipe({
      id: "ui-r1",
      paper: "UI-R1: Enhancing Action Prediction of GUI Agents by Reinforcement Learning",
      source: "arXiv:2503.21620",
      about:
        "GRPO with a rule for actions on 136 hard tasks beats its base model and keeps up with imitation of 76,000.",
      system: side("grpo"),
      baselines: [
        side("base"),
        side("imitation of as many"),
        side("imitation of all", { budget: { full: 76_000, quick: 10 } }),
        side("grpo on random tasks"),
      ],
      metrics: {
        type: { about: "kinds of actions", ...accuracy },
        grounding: { about: "clicks inside", ...accuracy },
        elsewhere: { about: "clicks inside, other layouts", ...accuracy },
      },
      claims: [
        {
          kind: "joint",
          because: "both are claimed of the same model",
          paper: "15% more kinds of actions and 10.3% more clicks",
          of: [
            { metric: "type", smallest: 0.05, contrast: ["grpo", "base"], because: "a third of the paper's" },
            {
              metric: "grounding",
              smallest: 0.04,
              contrast: ["grpo", "base"],
              because: "a third of the paper's",
            },
          ],
        },
        {
          metric: "elsewhere",
          smallest: 0.02,
          contrast: ["grpo", "base"],
          because: "a third of the paper's",
          paper: "6.0% on ScreenSpot-Pro",
        },
        {
          kind: "no-worse",
          metric: "elsewhere",
          margin: 0.03,
          contrast: ["grpo", "imitation of all"],
          because: "half of what it is said to gain",
          paper: "on a par with a model of 7B that imitated 76,000",
        },
        {
          kind: "interaction",
          metric: ["elsewhere", "grounding"],
          smallest: 0.03,
          contrast: ["grpo", "imitation of as many"],
          because: "what imitation learns is said to stay where it was learned",
        },
        {
          metric: "grounding",
          smallest: 0.02,
          contrast: ["grpo", "grpo on random tasks"],
          because: "hard tasks are said to be why few are enough",
        },
      ],
      budget: { unit: "examples", full: 136, quick: 8 },
      deviations: ["Screens are grids of words; the models have one size, not 3B and 7B."],
    }),
  cases: [
    {
      made: {
        grpo: { type: [0.8, 0.02], grounding: [0.7, 0.02], elsewhere: [0.6, 0.02] },
        base: { type: [0.65, 0.01], grounding: [0.6, 0.01], elsewhere: [0.54, 0.01] },
        "imitation of as many": { type: [0.75, 0.02], grounding: [0.7, 0.02], elsewhere: [0.53, 0.02] },
        "imitation of all": { type: [0.8, 0.02], grounding: [0.75, 0.02], elsewhere: [0.6, 0.02] },
        "grpo on random tasks": { type: [0.75, 0.02], grounding: [0.65, 0.02], elsewhere: [0.57, 0.02] },
      },
      implies: ["shown", "shown", "shown", "shown", "shown"],
    },
  ],
};
