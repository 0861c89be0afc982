import { defaultRng, type Generator, stream } from "@reins/core/random";
import { type Arm, type Grid, mean, recipe, type Settings, type Trial } from "@reins/recipes";
import * as autorl from "./how-to-autorl.parts.ts";

const grid = { seeds: [1, 3, 6], factor: [0.3, 0.6] } as const;
const randomly = { seeds: [1, 3, 6], share: [1 / 3, 1] } as const;
const regular = { seeds: [1, 3], searched: [2, 3, 5] } as const;
const halved = { seeds: [1, 2, 3, 4, 5, 6] } as const;
/** Seeds for the test of the chosen hyperparameters. */
const tests = 30;

const arm = <G extends Grid>(
  name: string,
  search: (settings: Settings<G>, score: autorl.Score, random: Generator) => Iterable<autorl.Tried>,
  own?: G,
): Arm => ({
  name,
  ...(own && { grid: own }),
  run({ seed, settings, budget, quick }: Trial<G>) {
    const lake = autorl.randomLake(defaultRng(stream(seed, "lake")));
    const train = (point: Float64Array, share: number, what: string, i: number) =>
      autorl.train(lake, point, Math.round(share * autorl.full), defaultRng(stream(seed, what, i)));
    const count = settings.seeds as number;
    let used = 0;
    const score: autorl.Score = (point, share) => {
      used += count * share;
      return mean(Array.from({ length: count }, (_, i) => train(point, share, "tuning", i)));
    };
    const early: number[] = [];
    let best: autorl.Tried = { point: new Float64Array(autorl.axes).fill(0.5), score: -1 };
    let tenth = best;
    for (const tried of search(settings as Settings<G>, score, defaultRng(stream(seed, "search")))) {
      if (used > budget) break;
      if (tried.score > best.score) best = tried;
      if (used <= budget / 10) tenth = best;
      if (early.length < 20) early.push(tried.score);
    }
    const test = ({ point }: autorl.Tried) =>
      mean(Array.from({ length: quick ? 3 : tests }, (_, i) => train(point, 1, "test", i)));
    const result = test(best);
    return {
      values: { test: result, tuning: best.score, gap: best.score - result, tenth: test(tenth) },
      early,
      used: Math.min(used, budget),
    };
  },
});

const share = (about: string) => ({ about, better: "higher", worst: 0, best: 1 }) as const;

export default recipe({
  id: "how-to-autorl",
  paper: "Hyperparameters in Reinforcement Learning and How To Tune Them",
  source: "arXiv:2306.01324, facebookresearch/how-to-autorl",
  about:
    "Hyperparameters of reinforcement learning should be searched with tools such as DEHB, over all of them, with seeds for tuning that are not used for the test. DEHB combines differential evolution with successive halving, so that most trainings are short. Claimed: it finds better settings than grid search at a tenth of the trainings, and scores on tuning seeds promise more than other seeds give.",
  system: arm("DEHB", ({ factor }: Settings<typeof grid>, score, random) =>
    autorl.dehb(score, factor, 0.5, random),
  ),
  baselines: [
    arm(
      "grid search",
      ({ searched }: Settings<typeof regular>, score, random) =>
        autorl.gridSearch(score, 3, searched, random),
      regular,
    ),
    arm(
      "random search",
      ({ share }: Settings<typeof randomly>, score, random) => autorl.randomSearch(score, share, random),
      randomly,
    ),
    arm(
      "successive halving",
      (_: Settings<typeof halved>, score, random) => autorl.halving(score, random),
      halved,
    ),
  ],
  ablations: [
    arm("DEHB without crossover", ({ factor }: Settings<typeof grid>, score, random) =>
      autorl.dehb(score, factor, 1, random),
    ),
  ],
  metrics: {
    test: share("return on test seeds with the chosen hyperparameters, as a share of the best policy's"),
    tenth: share("return on test seeds with the choice after a tenth of the trainings"),
    gap: {
      about: "score on tuning seeds minus return on test seeds",
      better: "higher",
      worst: -1,
      best: "open",
    },
  },
  claims: [
    {
      metric: "test",
      smallest: 0.03,
      because: "three points of the return are what a careful choice by hand is worth",
      paper: "mostly higher returns than grid and random search (tables)",
    },
    {
      kind: "no-worse",
      metric: ["tenth", "test"],
      contrast: ["DEHB", "grid search"],
      margin: 0.03,
      because: "the same three points, at a tenth of the trainings",
      paper: "better than grid search at less than a tenth of its budget",
    },
    {
      kind: "at-least",
      metric: "gap",
      value: 0.03,
      because: "three points of return promised in vain are worth other seeds",
      paper: "scores on tuning seeds overestimate those on test seeds",
    },
  ],
  grid,
  limits: { seeds: [1, 20], share: [1 / 9, 1], searched: [1, 5], factor: [0.1, 1] },
  replicates: "search",
  minutes: 1,
  budget: { unit: "trainings", full: 120, quick: 30 },
  deviations: [
    "Watkins' Q(λ) on random lakes of 5 × 5 cells, trained for 72 episodes, replaces PPO, DQN and SAC in Gym, Brax and Procgen; five hyperparameters are searched: learning rate, exploration, its decay, λ and the first values. The score is the exact return of the greedy policy.",
    "DEHB has one kind of bracket, with trainings of a ninth, a third and the full length; PB2 and BGT, which change settings during training, are left out.",
    "The number of tuning seeds, which the paper compares, is tuned for each search. Grid search has three values of two to five hyperparameters, in random order until the trainings are spent.",
  ],
  tried: [
    "Lakes of 6 × 6 cells with 90 episodes and 200 trainings, some of which no setting learns (tuning seeds, stopped before any evaluation): returns from 0 to 0.97 in the same arm.",
  ],
  finding: (f) =>
    `Against the best baseline DEHB changes the return by ${f.effect(0)}; after a tenth of the trainings against all of grid search: ${f.effect(1)}; scores on tuning seeds exceed returns on test seeds by ${f.effect(2)}, over ${f.count} searches.`,
});
