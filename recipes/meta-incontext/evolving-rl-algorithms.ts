import { doubleDqnLoss, dqnLoss, dqnRegLoss, graphDqn, type LossGraph } from "@reins/algorithms";
import type { StepEnvironment } from "@reins/core";
import * as signals from "@reins/core/signals";
import { source } from "@reins/envs";
import { learn, recipe, type Trial } from "@reins/recipes";

/** Tasks, and the returns with normalised scores 0 and 1. */
const map = ["SFFFH", "FHFFF", "FFFHF", "HFFFF", "FFHFG"];
const tasks: readonly { env: StepEnvironment; low: number; high: number }[] = [
  { env: source("FrozenLake-v1", { slippery: false, map }), low: 0, high: 1 },
  { env: source("Acrobot-v1"), low: -500, high: -80 },
  { env: source("Chain-v0", { maxSteps: 100 }), low: 140, high: 300 },
];

const arm = (name: string, loss: LossGraph) => ({
  name,
  run({ settings, seed, budget, quick }: Trial<typeof grid>) {
    const epsilon = signals.linear(1, 0.05, 0.2);
    const agent = { hidden: [32], batch: 32, trainEvery: 1, learningStarts: 200, epsilon };
    const algorithm = graphDqn({ ...agent, ...settings, loss });
    const tried = quick ? tasks.slice(0, 1) : tasks;
    const steps = budget / tried.length;
    const runs = tried.map(({ env }) => learn({ algorithm, env, steps, seed, also: ["value/mean"] }));
    // The paper's score too is the normalised return over all of training (Algorithm 1).
    const scores = tried.map(({ low, high }, i) =>
      Math.min(1, Math.max(0, (runs[i].values.training - low) / (high - low))),
    );
    const values = {
      score: scores.reduce((sum, s) => sum + s / scores.length, 0),
      estimate: runs[0].values["value/mean"],
      ...Object.fromEntries(tried.map(({ env }, i) => [env.spec.id, scores[i]])),
    };
    return { values, early: runs.flatMap((r) => r.early), used: runs.reduce((sum, r) => sum + r.used, 0) };
  },
});

const grid = { learningRate: [1e-3, 2e-3, 4e-3] } as const;

export default recipe({
  id: "evolving-rl-algorithms",
  paper: "Evolving Reinforcement Learning Algorithms",
  source: "arXiv:2101.03958",
  about:
    "The loss of a value-based agent is a typed graph of operations. Regularised evolution mutates DQN's graph, trains an agent with each new loss on small tasks, and skips losses that are equivalent to known ones or fail a first task. Its best result, DQNReg (δ² + 0.1 Q), is claimed to learn tasks outside the search better than DQN's loss, by reducing overestimation.",
  system: arm("DQNReg", dqnRegLoss),
  baselines: [arm("DQN", dqnLoss), arm("Double DQN", doubleDqnLoss)],
  metrics: {
    score: { about: "normalised return over training", better: "higher", worst: 0, best: 1 },
    estimate: { about: "mean value estimate on the lake", better: "lower", worst: 1000, best: "open" },
  },
  claims: [
    {
      metric: "score",
      contrast: ["DQNReg", "each"],
      smallest: 0.03,
      because: "of the whole range on three tasks: what a tuned learning rate gains over its neighbour",
      paper: "good generalisation to other control tasks, gridworlds and Atari games",
    },
    {
      metric: "estimate",
      contrast: ["DQNReg", "DQN"],
      smallest: 0.1,
      because: "a tenth of the only reward there is: what the loss takes from Q is of that size",
      paper: "its losses resemble recent methods against overestimation",
    },
  ],
  grid,
  budget: { unit: "steps", full: 15_000, quick: 512 },
  minutes: 8,
  deviations: [
    "No search: the losses found by the paper's search of 20,000 are tested on a lake, a chain and Acrobot, which that search may have included, instead of Atari and MiniGrid; runs of 5,000 steps with 32 units measure learning speed.",
    "The paper's rediscovery of temporal differences from random graphs is not tested: 1,500 graphs scored on small tables, which is what the time allowed, did not come near it.",
  ],
  tried: [
    "A search of 100 losses from DQN's on FrozenLake, CartPole and CliffWalking as the system: behind DQN by 0.099 and 0.129, ten seeds each. It had found a lower bound on the bootstrap value, which prevents learning on Acrobot.",
    "DQNClipped, the paper's other result, with DQNReg's learning rate: 0.43 where DQN reached 0.45, ten seeds.",
  ],
  finding: (f) =>
    `The claim is reversed: DQNReg learns less than Double DQN. Most of the difference is on the lake, runs have only 5,000 steps per task, and value estimates do fall, as claimed. On the lake DQNReg scores ${f.mean("DQNReg", "FrozenLake-v1")}, DQN ${f.mean("DQN", "FrozenLake-v1")} and Double DQN ${f.mean("Double DQN", "FrozenLake-v1")}, on Acrobot ${f.mean("DQNReg", "Acrobot-v1")}, ${f.mean("DQN", "Acrobot-v1")} and ${f.mean("Double DQN", "Acrobot-v1")}, on the chain ${f.mean("DQNReg", "Chain-v0")}, ${f.mean("DQN", "Chain-v0")} and ${f.mean("Double DQN", "Chain-v0")}. DQNReg's mean value estimate on the lake is ${f.mean("DQNReg", "estimate")}, DQN's ${f.mean("DQN", "estimate")}.`,
});
