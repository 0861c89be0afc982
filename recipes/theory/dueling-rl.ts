import { defaultRng, type Generator, stream } from "@reins/core/random";
import { innerProduct } from "@reins/envs";
import { type Grid, recipe, type Settings, type Trial, tableArm } from "@reins/recipes";
import { real } from "@reins/tensor";
import * as duels from "./dueling-rl.parts.ts";

const size = { states: 8, actions: 3, horizon: 6, dimension: 8, policies: 60, strength: 2 };
const grid = { scale: [0.03, 0.1, 0.3, 1, 3], ridge: [1, 3, 10] } as const;
const greedy = { epsilon: [0.01, 0.03, 0.1, 0.3, 1], power: [0, 0.25, 0.5] } as const;

/** What is known before an episode. */
interface Known {
  /** Estimated score of each policy. */
  readonly scores: Float64Array;
  readonly preferences: duels.Preferences;
  readonly means: readonly Float64Array[];
  /** Length of the difference of two policies' features in the metric of the past comparisons. */
  uncertainty(one: number, other: number): number;
  readonly episode: number;
  readonly random: Generator;
}

/** The two policies whose trajectories are compared, and the probability with which the second was random. */
type Pair = (known: Known) => readonly [one: number, other: number, random?: number];

const best = (scores: ArrayLike<number>): number => {
  let at = 0;
  for (let i = 1; i < scores.length; i++) if (scores[i] > scores[at]) at = i;
  return at;
};

/** Policies that no other one beats for certain. */
const candidates = ({ scores, uncertainty }: Known, scale: number): number[] =>
  Array.from(scores, (_, i) => i).filter((i) =>
    scores.every((other, j) => scores[i] - other + scale * uncertainty(i, j) >= 0),
  );

const arm = <G extends Grid>(name: string, pairOf: (settings: Settings<G>) => Pair, own?: G) =>
  tableArm({
    name,
    ...(own && { grid: own }),
    begin({ seed, settings, budget }: Trial<G>, random: Generator) {
      const duel = duels.randomDuel(defaultRng(stream(seed, "duel")), size);
      const { means, weights } = duel;
      const values = means.map((m) => innerProduct(m, weights));
      const most = values[best(values)];
      const pair = pairOf(settings as Settings<G>);
      const ridge = ("ridge" in settings ? settings.ridge : 1) as number;
      const preferences = new duels.Preferences(size.dimension, ridge);
      const metric = Array.from({ length: size.dimension }, (_, i) =>
        new Float64Array(size.dimension).fill(ridge, i, i + 1),
      );
      let [regret, second, randomised] = [0, 0, 0];
      return {
        step(episode) {
          const factor = duels.cholesky(metric);
          // With x = L⁻¹ of the means, ‖a − b‖ in the inverse metric is the distance of xs.
          const whitened = means.map((m) => duels.solveLower(factor, m));
          const uncertainty = (i: number, j: number) => {
            let sum = 0;
            for (let k = 0; k < size.dimension; k++) sum += (whitened[i][k] - whitened[j][k]) ** 2;
            return Math.sqrt(sum);
          };
          const scores = Float64Array.from(means, (m) => innerProduct(m, preferences.weights));
          const [one, other, share = 0] = pair({ scores, preferences, means, uncertainty, episode, random });
          const lost = most - (values[one] + values[other]) / 2;
          regret += lost;
          randomised += share;
          if (2 * episode >= budget) second += lost;
          const [a, b] = [one, other].map((p) => duels.sampleFeatures(duel, p, random));
          const difference = a.map((x, k) => x - b[k]);
          preferences.learn(difference, random.chance(duels.sigmoid(innerProduct(difference, weights))));
          const expected = means[one].map((x, k) => x - means[other][k]);
          for (let i = 0; i < size.dimension; i++)
            for (let j = 0; j < size.dimension; j++) metric[i][j] += expected[i] * expected[j];
          return regret;
        },
        values: () => ({ regret, second, randomised }),
      };
    },
  });

type Scaled = Settings<typeof grid>;

export default recipe({
  id: "dueling-rl",
  paper: "Dueling RL: Reinforcement Learning with Trajectory Preferences",
  source: "arXiv:2111.04850",
  about:
    "Two policies act in an episode, and the only feedback is which trajectory is preferred, by a logistic model of trajectory features. The algorithm keeps all policies that no other one beats for certain, and plays the two of them whose comparison is least certain. Claimed: for known dynamics regret grows with the square root of the number of episodes, which is optimal up to factors of the dimension.",
  system: arm("most uncertain pair", ({ scale }: Scaled) => (known) => {
    const set = candidates(known, scale);
    let [pair, longest] = [[set[0], set[0]] as [number, number], 0];
    for (const i of set)
      for (const j of set) {
        const length = i < j ? known.uncertainty(i, j) : 0;
        if (length > longest) [pair, longest] = [[i, j], length];
      }
    return pair;
  }),
  baselines: [
    arm("two posterior samples", ({ scale }: Scaled) => ({ preferences, means, random }) => {
      const factor = duels.cholesky(preferences.hessian());
      const sample = () => {
        const noise = duels.solveUpper(factor, random.fillNormal(new Float64Array(size.dimension)));
        return best(means.map((m) => innerProduct(m, preferences.weights) + scale * innerProduct(m, noise)));
      };
      return [sample(), sample()];
    }),
    arm("greedy and optimistic challenger", ({ scale }: Scaled) => ({ scores, uncertainty }) => {
      const first = best(scores);
      return [first, best(scores.map((s, i) => s + scale * uncertainty(first, i)))];
    }),
    arm(
      "greedy and random challenger",
      ({ epsilon, power }) =>
        ({ scores, episode, random }) => {
          const first = best(scores);
          const share = Math.min(1, epsilon * real.pow(episode + 1, -power));
          return [first, random.chance(share) ? random.integers(scores.length) : first, share];
        },
      greedy,
    ),
  ],
  ablations: [
    arm("random pair of candidates", ({ scale }: Scaled) => (known) => {
      const set = candidates(known, scale);
      return [known.random.choice(set), known.random.choice(set)];
    }),
  ],
  metrics: {
    regret: { about: "cumulative regret of both policies", better: "lower", worst: 1e5, best: 0 },
    second: { about: "regret in the second half of the episodes", better: "lower", worst: 1e5, best: 0 },
  },
  claims: [
    {
      kind: "ratio",
      metric: "regret",
      smallest: 1.2,
      because: "a search over pairs of policies should save a sixth of the regret of two posterior samples",
      paper: "near-optimal in the number of episodes (in theory)",
    },
    {
      kind: "ratio",
      metric: "regret",
      contrast: ["most uncertain pair", "greedy and random challenger"],
      smallest: 1.5,
      because: "planned exploration should save a third of the regret of random challengers",
    },
  ],
  grid,
  limits: { scale: [0.001, 10], ridge: [0.01, 100], epsilon: [0.001, 30], power: [0, 1] },
  replicates: "MDP",
  minutes: 1,
  budget: { unit: "episodes", full: 300, quick: 40 },
  deviations: [
    "The policy class has 60 policies, each optimal for random weights, in random MDPs with known dynamics; the part of the paper with unknown dynamics is left out.",
    "The algorithm was read in a program for the first author's preceding paper on dueling bandits (MaxInP in ucb.py of the experiments of arXiv:2310.00968), which has arms in place of policies, not in the paper's own text.",
    "One factor scales the width of the confidence set, and the penalty of the regression is tuned, for all arms with a confidence set.",
  ],
  finding: (f) =>
    `Negligible: the most uncertain pair of candidates has the regret of two posterior samples. Against this best baseline regret changes by ${f.effect(0)}, over ${f.count} MDPs. What speaks for the paper: against random challengers of the greedy policy regret changes by ${f.effect(1)}, and a random pair of candidates has ${f.mean("random pair of candidates", "regret")}, so that both the candidates and the choice among them help. What speaks against the search over pairs: the greedy policy with an optimistic challenger needs none and has ${f.mean("greedy and optimistic challenger", "regret")}. The most uncertain pair has ${f.mean("most uncertain pair", "regret")}, two posterior samples ${f.mean("two posterior samples", "regret")}, a random challenger ${f.mean("greedy and random challenger", "regret")}.`,
});
