import { ppo, rloo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { rooms, roomsMetrics, shortRooms, trainOn } from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

/** Three rooms, a key and a door, up to ten turns; the dense reward is 0.5 for taking the key. */
const dense = trainOn(
  rooms({ id: "rooms, key paid", turnReward: (_, __, [answer]) => (answer?.content === "+" ? 0.5 : 0) }),
);
const arm = languageArms({ ...shortRooms, score: { problems: 150, looks: 4 } });
const critic = { envs: 48, epochs: 2, minibatches: 2, entropyWeight: 0.001, gamma: 1, lambda: 0.95 };
const unbiased = { groups: 6, groupSize: 8, minibatches: 4, clipNorm: 1 };
const points = { smallest: 0.05, because: "a tenth of what is learned here" };

export default recipe({
  id: "multiturn-agentic-guide",
  paper: "A Practitioner's Guide to Multi-turn Agentic Reinforcement Learning",
  source: "arXiv:2510.01132",
  about:
    "A study of the factors in training language models in conversations: the size of the environment, the density of rewards, biased (PPO, GRPO) or unbiased (RLOO) methods, and the amount of imitation beforehand. Claimed: dense turn-level rewards speed up training; how much and how stably depends on the method.",
  system: arm("PPO, dense", ppo, critic, dense),
  baselines: [arm("PPO, sparse", ppo, critic)],
  ablations: [arm("RLOO, dense", rloo, unbiased, dense), arm("RLOO, sparse", rloo, unbiased)],
  metrics: {
    area: { about: "held-out success over training", better: "higher", worst: 0, best: 1 },
    ...roomsMetrics,
  },
  claims: [
    { metric: "area", ...points, paper: "dense rewards accelerate training" },
    { metric: "accuracy", ...points },
  ],
  grid: { learningRate: [1e-3, 3e-3, 9e-3] },
  budget: { unit: "tokens", full: 20_000, quick: 2000 },
  minutes: 2,
  deviations: [
    "A one-layer transformer that looks for a key and a door in three rooms replaces Qwen models in TextWorld, ALFWorld and SWE-Gym. Dense rewards give half of the door's reward for the key, once.",
    "Environments of other sizes and other amounts of imitation are left out: all arms are fine-tuned on 60,000 tokens.",
    "The dependence on the method is not judged: RLOO is an ablation, with five seeds per block and PPO's learning rate, not tuned for it. It compares eight samples per problem, while PPO has a critic and samples each problem once; both have batches of 48 conversations. PPO takes four gradient steps in two epochs, RLOO four in one, since it is unbiased only if no sample is used twice.",
  ],
  tried: [
    "Final success alone, as in the other recipes of these rooms: with two seeds at 0.003 PPO reached 0.76 and 0.87 with dense rewards and 0.95 and 0.86 without, which leaves too little to gain. The claim is about speed, so success over training is measured now: 0.64, 0.63 and 0.60 against 0.65, 0.66 and 0.69 with three seeds. RLOO reached 0.51 and 0.61 against 0 and 0.",
    "A form with all four arms tuned was written and never run: it would take twice as long.",
  ],
  finding: (f) =>
    `Undecided: dense rewards show no clear effect on PPO. Runs vary so much that 132 seeds per block would be needed instead of 13, rewards are not sparse for a model that finds the door in one conversation of six before RL, and the dependence on the method is not judged. Dense rewards change success over training by ${f.effect(0)} and at the end by ${f.effect(1)}, over ${f.count} seeds: from ${f.mean("PPO, dense", "before")} they reach ${f.mean("PPO, dense", "accuracy")}, sparse ones ${f.mean("PPO, sparse", "accuracy")}. RLOO collapses at the learning rate tuned for dense PPO: on five seeds of each block it reaches ${f.mean("RLOO, dense", "accuracy")} with dense rewards and ${f.mean("RLOO, sparse", "accuracy")} with sparse ones, which says nothing about RLOO at its own learning rate.`,
});
