import { bellmanSimilarity, type RepresentationPenalty, similarity, td3, td3Parts } from "@reins/algorithms";
import { source } from "@reins/envs";
import { learnSide, recipe } from "@reins/recipes";

/** The plain deterministic policy gradient that the authors build on, with a price on how the critic represents things. */
const priced = (penalty?: RepresentationPenalty) =>
  td3.with("dpg", {
    options: { critics: 1, smoothing: 0, policyEvery: 1 },
    parts: (_, o, context) => td3Parts(o, context, "dpg", { penalty }),
  });

const networks = { hidden: [32, 32], batch: 64, learningStarts: 500 };
const env = source("Pendulum-v1");

const side = (name: string, penalty?: RepresentationPenalty) =>
  learnSide({ name, env, algorithm: priced(penalty), options: networks });

/** Features of consecutive pairs apart as far as they go: the rank is maximised. */
const apart: RepresentationPenalty = ({ now, next }) => similarity(now.features, next.features).mul(0.01);

export default recipe({
  id: "beer-rank",
  paper: "Adaptive Regularization of Representation Rank as an Implicit Constraint of Bellman Equation",
  source: "arXiv:2404.12754",
  about:
    "The Bellman equation bounds how alike a critic's features of consecutive pairs of state and action can be. BEER charges the critic for what exceeds this bound, so that the rank of its representation is raised as far as it must be and no further. Claimed: returns far higher than without it, and than where the rank is maximised.",
  system: side("BEER", bellmanSimilarity(1)),
  baselines: [side("DPG"), side("without a bound", apart)],
  metrics: {
    training: { about: "mean return over training", better: "higher", worst: -2000, best: -150 },
  },
  claims: [
    {
      metric: "training",
      contrast: ["BEER", "each"],
      smallest: 50,
      because: "a twentieth of what lies between a pendulum that hangs and one that is swung up",
      paper: "outperforms the baselines by a large margin on 12 tasks",
    },
  ],
  grid: { learningRate: [1e-3, 3e-3], criticRate: [3e-3, 9e-3] },
  budget: { unit: "steps", full: 8000, quick: 1024 },
  minutes: 3,
  deviations: [
    "Prices have the weights that they were tuned to when weights were in their grids, 1 and 0.01, with steps of 1e-3 for the actor; the paper's is 1e-3.",
    "Pendulum-v1 with networks of two layers of 32 units stands for twelve tasks of the DeepMind Control Suite. How near values come to the truth is not measured.",
    "The bound is taken with the features of the target networks throughout; the authors' program takes some of its lengths from the network that learns.",
  ],
  tried: [
    "Weights of 1e-3, the paper's, and 1 with steps of 1e-3, two seeds: -1126 and -1122, where DPG came to -1126.",
  ],
  finding: (f) =>
    `No gain is seen once all sides tune the same two step sizes: BEER comes to ${f.mean("BEER", "training")}, DPG to ${f.mean("DPG", "training")} (${f.effect()}), and the price without a bound to ${f.mean("without a bound", "training")}. BEER's critic steps were still best at the edge of its grid, and the weight of its price was not tuned again. Where DPG's actor had its steps tuned and the others' had not, DPG was ahead by 45: the steps may explain that, though seeds and grids of the critics differ too.`,
});
