import { defaultRng, stream } from "@reins/core/random";
import { type Arm, type Grid, mean, recipe, type Settings, type Trial } from "@reins/recipes";
import * as star from "./rl-star.parts.ts";

/** States of each step, steps of a chain, skill δ before learning, and chains per question from which the first model is estimated. */
const [states, steps, delta, pretraining] = [8, 3, 0.1, 256];
const grid = { samples: [32, 64, 128, 256], temperature: [0.5, 1] } as const;
const gradient = { samples: [16, 64], learningRate: [3, 10, 30, 100] } as const;

type Update = (model: star.ChainModel, chains: star.Chain[]) => star.ChainModel;

const arm = <G extends Grid>(
  name: string,
  temperatureOf: (settings: Settings<G>) => number,
  updates: (settings: Settings<G>) => Update,
  own?: G,
): Arm => ({
  name,
  ...(own && { grid: own }),
  run({ seed, settings, budget }: Trial<G>) {
    const [before, random] = [defaultRng(stream(seed, "pretraining")), defaultRng(stream(seed, "samples"))];
    const uniform = star.skilled(steps, states, 0);
    const teacher = star.skilled(steps, states, delta);
    let model = star.refit(uniform, star.sampleChains(teacher, pretraining, 1, before));
    const update = updates(settings);
    const samples = settings.samples as number;
    const started = star.accuracies(model);
    const curve: (typeof started)[] = [];
    let used = 0;
    for (; used + samples * states <= budget; used += samples * states) {
      model = update(model, star.sampleChains(model, samples, temperatureOf(settings), random));
      curve.push(star.accuracies(model));
    }
    const end = star.accuracies(model);
    const values = {
      steps: end.steps,
      area: mean(curve.map((c) => c.steps)),
      accuracy: end.accuracy,
      wrong: end.accuracy - end.steps,
      before: started.steps,
    };
    return { values, early: curve.slice(0, 20).map((c) => c.accuracy), used };
  },
});

export default recipe({
  id: "rl-star",
  paper: "RL-STaR: Theoretical Analysis of Reinforcement Learning Frameworks for Self-Taught Reasoner",
  source: "arXiv:2410.23912, d09942015ntu/rl_star",
  about:
    "A chain of thought is a Markov chain of states. STaR samples chains, keeps those whose answer is correct and fits the model to them anew. Claimed: each iteration improves the model, which converges to the correct reasoning if every step is initially better than chance, although some kept chains contain wrong steps that cancel.",
  system: arm(
    "STaR",
    ({ temperature }: Settings<typeof grid>) => temperature,
    () => (model, chains) => star.refit(model, chains.filter(star.solved)),
  ),
  baselines: [
    arm(
      "policy gradient",
      () => 1,
      ({ samples, learningRate }) =>
        (model, chains) =>
          star.policyGradient(model, chains, samples, learningRate),
      gradient,
    ),
    arm(
      "STaR on all correct chains so far",
      ({ temperature }: Settings<typeof grid>) => temperature,
      () => {
        const kept: star.Chain[] = [];
        return (model, chains) => {
          kept.push(...chains.filter(star.solved));
          return star.refit(model, kept);
        };
      },
    ),
    arm(
      "STaR without the filter",
      ({ temperature }: Settings<typeof grid>) => temperature,
      () => star.refit,
    ),
  ],
  metrics: {
    steps: { about: "chains without a wrong step, at the end", better: "higher", worst: 0, best: 1 },
    area: { about: "chains without a wrong step, mean over training", better: "higher", worst: 0, best: 1 },
    accuracy: { about: "correct answers at the end", better: "higher", worst: 0, best: 1 },
  },
  claims: [
    {
      kind: "at-least",
      metric: "steps",
      value: 0.95,
      because: "convergence to correct reasoning, up to one chain of twenty",
      paper: "converges to the optimal policy with unlimited samples (in theory)",
    },
    {
      metric: "area",
      smallest: 0.05,
      because: "one chain of twenty over training pays for another method",
    },
  ],
  grid,
  limits: { samples: [8, 512], temperature: [0.5, 1], learningRate: [0.1, 1000] },
  minutes: 2,
  budget: { unit: "chains", full: 8 * 2560, quick: 8 * 256 },
  deviations: [
    "Tables with 8 states in each of three steps replace GPT-2 on the authors' bit strings, so that fitting is exact; without loss of generality the correct next state has the number of the current one.",
    "The theory has unlimited samples. Here each question has 2560 chains in all, and the first model is estimated from 256 chains of a teacher with δ = 0.1. The temperature is that of the theory, 1, or that of the authors' program, 0.5.",
  ],
  tried: [
    "A quarter of all samples and a first model from 64 chains, twenty seeds: 0.49 chains without a wrong step at a temperature of 0.5, 0.10 at 1, where accuracy is 0.76; policy gradient 0.21 at most.",
  ],
  finding: (f) =>
    `STaR converges to correct reasoning, as claimed, though only with many samples an iteration at a low temperature; whether it beats the same method on all correct chains so far is undecided. At the end ${f.mean("STaR", "steps")} of STaR's chains have no wrong step (${f.mean("STaR", "before")} before), over ${f.count} seeds, and against the best baseline their mean over training changes by ${f.effect(1)}. What speaks against the theory as the reason: without the filter, samples at the temperature of 0.5 sharpen the model nearly as well (${f.mean("STaR without the filter", "steps")}). Answers alone do not identify the steps: policy gradient answers ${f.mean("policy gradient", "accuracy")} correctly, but only ${f.mean("policy gradient", "steps")} without wrong steps that cancel. STaR answers ${f.mean("STaR", "accuracy")} correctly; on all correct chains so far it has ${f.mean("STaR on all correct chains so far", "steps")} without a wrong step.`,
});
