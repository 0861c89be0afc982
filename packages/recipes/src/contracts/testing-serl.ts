import { recipe } from "../make.ts";
import type { Contract, Value } from "./testing.ts";

/** Minutes around a mean; some runs of ten never reach the level. */
const minutes =
  (mean: number, never: number): Value =>
  ({ seed }, z) =>
    seed % 10 < never ? Number.POSITIVE_INFINITY : mean + 3 * z;

/** Minutes on a robot: time to reach a level, with runs that never do. */
export const serl: Contract = {
  recipe: (side) =>
    recipe({
      id: "serl",
      paper: "SERL: A Software Suite for Sample-Efficient Robotic Reinforcement Learning",
      source: "arXiv:2401.16013",
      about:
        "Many updates a step, demonstrations in every batch and learned rewards: policies for insertion in 25 to 50 minutes that hardly fail.",
      system: side("serl"),
      baselines: [side("one update a step"), side("no demonstrations"), side("imitation")],
      metrics: {
        minutes: {
          about: "minutes to 95% success",
          better: "lower",
          worst: 120,
          best: 0,
          clock: "simulated",
        },
        success: { about: "success", better: "higher", worst: 0, best: 1 },
        pushed: { about: "success when pushed", better: "higher", worst: 0, best: 1 },
      },
      claims: [
        {
          kind: "time-to-reach",
          metric: "minutes",
          smallest: 15,
          contrast: ["serl", "each"],
          because: "an operator's patience: half of what it needs",
        },
        {
          kind: "equals",
          metric: "minutes",
          value: 37.5,
          within: 12.5,
          because: "the paper's own range",
          paper: "25 to 50 minutes a policy",
        },
        {
          kind: "equals",
          metric: "success",
          value: 1,
          within: 0.05,
          because: "near perfect",
          paper: "perfect or near-perfect",
        },
        {
          kind: "no-worse",
          metric: ["pushed", "success"],
          contrast: ["serl", "serl"],
          margin: 0.1,
          because: "robust: one in ten more may fail when pushed",
        },
        { metric: "pushed", smallest: 0.1, contrast: ["serl", "imitation"], because: "one in ten" },
      ],
      budget: { unit: "steps", full: 36_000, quick: 100 },
      deviations: ["A planar insertion; minutes are counted at the robot's ten actions a second."],
    }),
  cases: [
    {
      made: {
        serl: { minutes: minutes(33, 0), success: [0.98, 0.005], pushed: [0.95, 0.02] },
        "one update a step": { minutes: minutes(70, 2), success: [0.9, 0.05], pushed: [0.8, 0.05] },
        "no demonstrations": { minutes: minutes(90, 8), success: [0.3, 0.1], pushed: [0.2, 0.05] },
        imitation: { minutes: Number.POSITIVE_INFINITY, success: [0.7, 0.05], pushed: [0.5, 0.05] },
      },
      implies: ["shown", "shown", "shown", "shown", "shown"],
    },
    {
      // It takes as long without demonstrations, and longer than claimed.
      made: {
        serl: { minutes: minutes(80, 0), success: [0.85, 0.005], pushed: [0.6, 0.02] },
        "one update a step": { minutes: minutes(110, 0), success: [0.9, 0.05], pushed: [0.8, 0.05] },
        "no demonstrations": { minutes: minutes(80, 0), success: [0.85, 0.01], pushed: [0.6, 0.05] },
        imitation: { minutes: Number.POSITIVE_INFINITY, success: [0.7, 0.05], pushed: [0.55, 0.02] },
      },
      implies: ["negligible", "reversed", "reversed", "reversed", "negligible"],
    },
  ],
};
