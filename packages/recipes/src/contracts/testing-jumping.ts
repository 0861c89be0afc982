import { recipe } from "../make.ts";
import type { Contract } from "./testing.ts";

/** A single achievement, and the same policy compared with others in several tasks. */
export const jumping: Contract = {
  recipe: (side) =>
    recipe({
      id: "jumping-cod",
      paper: "Agile Continuous Jumping in Discontinuous Terrains",
      source: "arXiv:2409.10923",
      about:
        "A learned centroidal policy over a model-based leg controller jumps up stairs, two at a time, and farther and higher than others.",
      system: side("hierarchy"),
      baselines: [side("end to end"), side("planned")],
      ablations: [side("blind"), side("ideal motors")],
      metrics: {
        steps: { about: "stairs climbed of 14", better: "higher", worst: 0, best: 14 },
        seconds: { about: "seconds for 14 stairs", better: "lower", worst: 20, best: 0, clock: "simulated" },
        gap: { about: "widest gap, m", better: "higher", worst: 0, best: "open" },
        height: { about: "highest box, m", better: "higher", worst: 0, best: "open" },
      },
      claims: [
        {
          kind: "joint",
          because: "one policy is said to do all",
          of: [
            { metric: "steps", smallest: 2, contrast: ["hierarchy", "each"], because: "one more jump" },
            { metric: "gap", smallest: 0.1, contrast: ["hierarchy", "each"], because: "a foot's length" },
            {
              metric: "height",
              smallest: 0.05,
              contrast: ["hierarchy", "each"],
              because: "a quarter of a stair",
            },
          ],
        },
        {
          kind: "equals",
          metric: "seconds",
          value: 4.5,
          within: 1,
          because: "a second more or less is a jump",
          paper: "14 stairs, 3.5 m long and 2.8 m high, in 4.5 s",
        },
        {
          kind: "time-to-reach",
          metric: "seconds",
          smallest: 1,
          contrast: ["hierarchy", "planned"],
          because: "a jump",
        },
        {
          metric: "steps",
          smallest: 2,
          direction: "lower",
          contrast: ["blind", "end to end"],
          because: "without seeing, less than those that see: one jump",
        },
      ],
      budget: { unit: "steps", full: 1e8, quick: 1e4 },
      deviations: [
        "A planar hopper; hardware is the same simulator with other motors, and nothing here is the first of its kind.",
      ],
    }),
  cases: [
    {
      made: {
        hierarchy: { steps: [13, 0.3], seconds: [4.6, 0.2], gap: [0.8, 0.05], height: [0.5, 0.03] },
        "end to end": { steps: [8, 1], seconds: [9, 1], gap: [0.55, 0.05], height: [0.35, 0.03] },
        planned: { steps: [6, 1], seconds: [12, 1], gap: [0.5, 0.05], height: [0.3, 0.03] },
        blind: { steps: [3, 0.5], seconds: 20, gap: [0.3, 0.05], height: [0.2, 0.03] },
        "ideal motors": { steps: [7, 1], seconds: 15, gap: [0.5, 0.05], height: [0.3, 0.03] },
      },
      implies: ["shown", "shown", "shown", "shown"],
    },
  ],
};
