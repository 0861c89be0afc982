import { recipe } from "../make.ts";
import type { Contract, Value } from "./testing.ts";

/** Better if a setting of the search is near its optimum. */
const tuned =
  (top: number, best: number): Value =>
  ({ settings }, z) =>
    top - 0.3 * Math.log2((settings.size as number) / best) ** 2 + 0.02 * z;

/** All searches are equally good if tuned, luck with settings decides, and their logs give a model of the simulator. */
export const archgym: Contract = {
  recipe: (side) =>
    recipe({
      id: "archgym",
      paper: "ArchGym: An Open-Source Gymnasium for Machine Learning Assisted Architecture Design",
      source: "arXiv:2306.08888",
      about:
        "Tuned alike, searches of every family find designs as good; which settings one draws matters more than the family.",
      system: side("reinforcement"),
      baselines: [side("genetic"), side("bayesian"), side("ants"), side("random walk")],
      metrics: {
        design: { about: "the best design", better: "higher", worst: -10, best: 1 },
        within: { about: "spread over settings", better: "higher", worst: 0, best: "open" },
        between: { about: "spread between families at their best", better: "higher", worst: 0, best: "open" },
        error: { about: "error of the proxy, %", better: "lower", worst: 100, best: 0 },
        proxy: { about: "seconds by the proxy", better: "lower", worst: 1e4, best: 0, clock: "wall" },
        simulator: { about: "seconds by the simulator", better: "lower", worst: 1e4, best: 0, clock: "wall" },
      },
      claims: [
        {
          kind: "equivalent",
          metric: "design",
          sides: ["reinforcement", "genetic", "bayesian", "ants", "random walk"],
          within: 0.05,
          because: "of a design that scores 1; specifications are met or not by more",
          paper: "equally favourable if hyperparameters are tuned",
        },
        {
          metric: ["within", "between"],
          contrast: ["reinforcement", "reinforcement"],
          smallest: 0.1,
          because: "twice what counts as equal: the lottery is in the settings",
          paper: "the hyperparameter lottery",
        },
        {
          kind: "holds",
          metric: "error",
          tolerance: 1,
          because: "designs differ by more",
          paper: "RMSE of 0.61%",
        },
        {
          kind: "ratio",
          metric: ["proxy", "simulator"],
          contrast: ["reinforcement", "reinforcement"],
          smallest: 100,
          because: "two orders make other searches possible",
          paper: "2,000 times faster",
        },
      ],
      grid: { size: [2, 4, 8, 16] },
      replicates: "search",
      budget: { unit: "designs", full: 2000, quick: 10 },
      deviations: ["The simulator is a formula of a memory controller with eight knobs."],
    }),
  cases: [
    {
      made: {
        reinforcement: {
          design: tuned(0.9, 4.5),
          within: [0.4, 0.05],
          between: [0.02, 0.005],
          error: [0.6, 0.05],
          proxy: [0.01, 0.001],
          simulator: [20, 1],
        },
        genetic: others(9, 0.91),
        bayesian: others(4.5, 0.9),
        ants: others(9, 0.89),
        "random walk": others(36, 0.9),
      },
      implies: ["shown", "shown", "shown", "shown"],
    },
    {
      // One family is worse, however it is tuned; the proxy is sometimes wrong, and is twenty times as fast.
      made: {
        reinforcement: {
          design: tuned(0.9, 4.5),
          within: [0.03, 0.005],
          between: [0.2, 0.01],
          error: ({ seed }) => (seed % 10 === 3 ? 1.5 : 0.6),
          proxy: [1, 0.01],
          simulator: [20, 1],
        },
        genetic: others(9, 0.9),
        bayesian: others(4.5, 0.9),
        ants: others(9, 0.9),
        "random walk": others(4.5, 0.5),
      },
      implies: ["reversed", "reversed", "reversed", "negligible"],
    },
  ],
};

/** Another family: values that only one search has are equal for all. */
function others(best: number, top: number) {
  return { design: tuned(top, best), within: 0.3, between: 0.02, error: 1, proxy: 0.01, simulator: 20 };
}
