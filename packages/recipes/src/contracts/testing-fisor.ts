import { recipe } from "../make.ts";
import type { Trial } from "../recipe.ts";
import type { Contract, Value } from "./testing.ts";

const tasks = Array.from({ length: 26 }, (_, i) => `task ${i}`);
const place = ({ replicate }: Trial) => tasks.indexOf(replicate);
/** A cost of about `mean`, above its limit in the last few tasks. */
const cost =
  (mean: number, over: number): Value =>
  (t, z) =>
    place(t) >= tasks.length - over ? 2 + Math.abs(z) : mean + 0.05 * z;
const safe =
  (over: number): Value =>
  (t) =>
    place(t) >= tasks.length - over ? 0 : 1;

/** The only method that is safe in all tasks, with high returns: the task is the replicate. */
export const fisor: Contract = {
  recipe: (side) =>
    recipe({
      id: "fisor",
      paper: "Safe Offline Reinforcement Learning with Feasibility-Guided Diffusion Model",
      source: "arXiv:2401.10700",
      about:
        "Rewards are sought only where the data can be kept safe. It is the one method that is safe in all tasks, with top returns in most.",
      system: side("fisor"),
      baselines: [side("bc-safe"), side("cpq"), side("coptidice"), side("cdt")],
      metrics: {
        return: { about: "normalised return", better: "higher", worst: -1, best: "open" },
        cost: { about: "normalised cost", better: "lower", worst: 100, best: 0 },
        safe: { about: "share of seeds within the limit", better: "higher", worst: 0, best: 1 },
      },
      claims: [
        {
          kind: "joint",
          because: "the only one that is safe: it is, and the others are not",
          paper: "the only method that is safe in all tasks",
          of: [
            { kind: "holds", metric: "cost", tolerance: 1, because: "1 is the limit, in every task" },
            {
              metric: "safe",
              smallest: 0.05,
              contrast: ["fisor", "each"],
              interval: "bca",
              because: "one task of twenty that another does not keep safe",
            },
          ],
        },
        {
          metric: "return",
          smallest: 0.05,
          contrast: ["fisor", "bc-safe"],
          because: "against the one that is nearly as safe; returns are between 0 and 1",
          paper: "top returns in most tasks",
        },
      ],
      replicates: { what: "task", names: tasks, seeds: 3 },
      budget: { unit: "updates", full: 1e5, quick: 10 },
      deviations: ["Tasks are planar navigation with hazards, logged by mixed policies."],
    }),
  cases: [
    {
      made: {
        fisor: { return: [0.5, 0.05], cost: cost(0.3, 0), safe: safe(0) },
        "bc-safe": { return: [0.35, 0.05], cost: cost(0.5, 6), safe: safe(6) },
        cpq: { return: [0.3, 0.1], cost: cost(0.5, 14), safe: safe(14) },
        coptidice: { return: [0.4, 0.1], cost: cost(0.7, 16), safe: safe(16) },
        cdt: { return: [0.6, 0.1], cost: cost(0.7, 12), safe: safe(12) },
      },
      implies: ["shown", "shown"],
    },
    {
      // One task is not safe, and safety costs return.
      made: {
        fisor: { return: [0.25, 0.05], cost: cost(0.3, 1), safe: safe(1) },
        "bc-safe": { return: [0.35, 0.02], cost: cost(0.5, 6), safe: safe(6) },
        cpq: { return: [0.3, 0.1], cost: cost(0.5, 14), safe: safe(14) },
        coptidice: { return: [0.4, 0.1], cost: cost(0.7, 16), safe: safe(16) },
        cdt: { return: [0.6, 0.1], cost: cost(0.7, 12), safe: safe(12) },
      },
      implies: ["reversed", "reversed"],
    },
  ],
};
