import { ars, es, type RepresentationOptions, representation } from "@reins/algorithms";
import { make, sparseReward } from "@reins/envs";
import { learnSide, recipe } from "@reins/recipes";

/** A pendulum that pays 1 for a step near the top at little speed, and nothing else. */
const upright = (rows: number) => sparseReward(make("Pendulum-v1", { rows }), { least: -0.5 });
const shared = {
  env: { spec: upright(1).spec, make: upright },
  also: ["population/mean"],
};
const searched = { population: 16, episodes: 2, hidden: [16] };

/** The model has a fifth of each step. */
const guided = (name: string, own: RepresentationOptions = {}) =>
  learnSide({
    name,
    algorithm: ars,
    options: {
      ...searched,
      guide: representation({ share: 0.2, hidden: 32, updates: 8, memory: 512, candidates: 512, ...own }),
    },
    ...shared,
  });

export default recipe({
  id: "reprl",
  paper: "Representation-Driven Reinforcement Learning",
  source: "arXiv:2305.19922",
  about:
    "Policies are represented by numbers in which their values are linear: an encoder of their weights, trained on all policies that were played and what they earned. A linear bandit over these numbers then explores policies: a value is drawn from its posterior (Thompson sampling), and an evolution strategy goes not only where its members earned more but also where the drawn value rises. Claimed: significantly better than the strategy alone, most of all where rewards are sparse.",
  system: guided("RepES"),
  baselines: [
    learnSide({ name: "ARS", algorithm: ars, options: searched, ...shared }),
    learnSide({
      name: "ES",
      algorithm: es,
      options: { ...searched, weightDecay: 0 },
      grid: { learningRate: [0.03, 0.1, 0.3], sigma: [0.2, 0.4] },
      ...shared,
    }),
  ],
  ablations: [guided("RepES, likeliest values", { boldness: 0 })],
  metrics: {
    "population/mean": {
      about: "steps near the top, of 200, mean over all episodes of training",
      better: "higher",
      worst: 0,
      best: 200,
    },
  },
  claims: [
    {
      metric: "population/mean",
      smallest: 15,
      because:
        "runs that swing up earn some 60 steps more over training: one run in four that does where it did not",
      paper: "significantly improved over evolution strategies",
    },
  ],
  grid: { learningRate: [0.2, 0.4, 0.8], sigma: [0.2, 0.4] },
  budget: { unit: "steps", full: 1_000_000, quick: 40_000 },
  minutes: 3,
  deviations: [
    "A pendulum that pays only near the top stands for MuJoCo with sparse rewards, a network of 81 weights for theirs; the form around policy gradients is left out.",
    "As in the authors' program the search mixes its own step with that of the model (a fifth here, a tenth there), over 256 pairs of policies around the centre; their other form, which moves to the best of these policies, is left out.",
    "An encoder of 32 hidden units and 16 numbers, learning from the last 512 policies, stands for one of thousands that learns from all; the noise of the linear model is estimated from what it leaves open.",
  ],
  tried: [
    "A share of 0.5 with a larger encoder on MountainCar-v0, MountainCarContinuous-v0 and Acrobot-v1, three seeds: -135, 88 and -120 where ARS has -137, 84 and -115; all find the goal at once.",
    "The larger encoder (64 units, 1024 policies, 16 updates) on the pendulum, six seeds: 67 with a share of 0.2 and 24 with 0.8 where ARS has 48; three seeds of 0.5: 25, and 36 with the likeliest values.",
    "This one with steps of 0.3, eight seeds: 46 where ARS has 49, and 55 with the likeliest values.",
  ],
  finding: (f) =>
    `The model changes nothing worth having: RepES spends ${f.mean("RepES", "population/mean")} of 200 steps near the top and ARS alone ${f.mean("ARS", "population/mean")} (${f.effect()}, ${f.count} seeds); ES has ${f.mean("ES", "population/mean")}. What decides is whether a run ever swings up, and it does so about as often with the model. With the likeliest values in the place of drawn ones it is ${f.mean("RepES, likeliest values", "population/mean")}, on ten seeds.`,
});
