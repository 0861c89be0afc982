import {
  agreedGradient,
  cutOut,
  dqn,
  dqnParts,
  meanGradient,
  recolored,
  shifted,
  type Views,
} from "@reins/algorithms";
import { convolutional, evaluate, signals } from "@reins/core";
import { source } from "@reins/envs";
import { learnSide, recipe, recordedMean } from "@reins/recipes";

/** Pictures are black where it learns, and colored where it is tested. */
const field = { margin: 1 };
const [env, colored] = [source("Catch-v0", field), source("Catch-v0", { ...field, colors: "any" })];
const each = [shifted(1), recolored(0.5), cutOut(2)];

/** DQN whose error is computed for each of several views of the same steps. */
const side = (name: string, views: Views) =>
  learnSide({
    name,
    env,
    algorithm: dqn.with("views", { parts: (_, o, context) => dqnParts(o, context, "views", { views }) }),
    options: {
      ...{ encoder: convolutional({ channels: [8], features: 32 }), hidden: [32], gamma: 0.9 },
      ...{ epsilon: signals.linear(1, 0.05, 0.3), targetEvery: 50, trainEvery: 2 },
      ...{ batch: 32, capacity: 8000, learningStarts: 200 },
    },
    measure: (run, { seed }) => ({ unseen: recordedMean(evaluate(run, colored, { greedy: true, seed })) }),
  });

const balls = (about: string) => ({ about, better: "higher", worst: -1, best: 1 }) as const;
const counts = {
  contrast: ["CG2A", "all at once"],
  smallest: 0.2,
  because: "a tenth of what lies between no ball and all balls caught",
} as const;

export default recipe({
  id: "cg2a",
  paper:
    "Improving Generalization in Visual Reinforcement Learning via Conflict-aware Gradient Agreement Augmentation",
  source: "arXiv:2308.01194",
  about:
    "Where pictures are augmented in several ways at once, the gradients of the ways differ in length and contradict each other. CG2A weighs each by how far it agrees with the others, and damps what they disagree on. Claimed: better generalisation to pictures never seen, and faster learning, than by all ways at once.",
  system: side("CG2A", { each, join: agreedGradient }),
  baselines: [side("all at once", { each, join: meanGradient })],
  ablations: [
    side("colors alone", { each: [each[1]], join: meanGradient }),
    side("none", { each: [(seen) => seen], join: meanGradient }),
  ],
  metrics: {
    unseen: balls("return without chance before colors never seen"),
    training: balls("mean return over training"),
  },
  claims: [
    { metric: "unseen", ...counts, paper: "significantly improves the generalization performance" },
    { metric: "training", ...counts, paper: "and sample efficiency of visual RL algorithms" },
  ],
  grid: { learningRate: [1e-3, 2e-3, 4e-3] },
  budget: { unit: "steps", full: 1250, quick: 512 },
  minutes: 3,
  deviations: [
    "DQN that catches a ball in pictures of 10 × 10 pixels stands for SAC on the DeepMind Control Suite.",
    "The paper's text was not at hand beyond its abstract: agreement is weighed by the rule of Eshratifar et al. (2018) after all gradients got the same length, and a weight is damped by the share of signs that do not cancel.",
  ],
  tried: [
    "8000 steps with a rate of 3e-3, two seeds: with colors among the ways all balls before unseen colors were caught, by whatever rule; 4000 steps, three seeds: 0.98 all at once, 0.97 by CG2A, 0.78 by colors alone.",
    "3000 steps, measured on two blocks: the mean of the ways left too little to gain (untestable), and CG2A learned no faster. 2000 steps with a rate of 4e-3, three seeds: 0.90 all at once and 0.84 by CG2A; 1500 steps: 0.53 and 0.52.",
  ],
  finding: (f) =>
    `Before colors never seen all ways at once come to ${f.mean("all at once", "unseen")} of 1, CG2A to ${f.mean("CG2A", "unseen")} (${f.effect()}), colors alone to ${f.mean("colors alone", "unseen")} and no augmentation to ${f.mean("none", "unseen")}. Over training they earn ${f.mean("all at once", "training")}, ${f.mean("CG2A", "training")} (${f.effect(1)}), ${f.mean("colors alone", "training")} and ${f.mean("none", "training")}. What helps here is that there are several ways; to weigh their gradients by agreement adds nothing to it.`,
});
