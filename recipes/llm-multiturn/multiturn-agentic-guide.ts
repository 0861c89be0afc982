import { ppo, rloo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { rooms, roomsMetrics, shortRooms, trainedOn } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

/** Three rooms, a key and a door, up to ten turns; dense rewards pay half for the turn that takes the key. */
const dense = trainedOn(
  rooms({ id: "rooms, key paid", pay: (_, __, [answer]) => (answer?.content === "+" ? 0.5 : 0) }),
);
const side = wordsSides({ ...shortRooms, score: { problems: 150, looks: 4 } });
const critic = { envs: 48, epochs: 2, minibatches: 2, entropyWeight: 0.001, gamma: 1, lambda: 0.95 };
const unbiased = { groups: 6, plays: 8, minibatches: 4, clipNorm: 1 };
const points = { smallest: 0.05, because: "a tenth of what is learned here" };

export default recipe({
  id: "multiturn-agentic-guide",
  paper: "A Practitioner's Guide to Multi-turn Agentic Reinforcement Learning",
  source: "arXiv:2510.01132",
  about:
    "A study of what matters when language models are trained in conversations: how large the world is, how often a turn is paid, whether the method is biased (PPO, GRPO) or not (RLOO), how much is imitated first. Claimed: rewards for turns on the way speed training up; how much and how steadily depends on the method.",
  system: side("PPO, dense", ppo, critic, dense),
  baselines: [side("PPO, sparse", ppo, critic)],
  ablations: [side("RLOO, dense", rloo, unbiased, dense), side("RLOO, sparse", rloo, unbiased)],
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
    "A transformer of one layer that looks for a key and a door in three rooms stands for Qwen models in TextWorld, ALFWorld and SWE-Gym. Dense rewards are half of the door's for the key, once.",
    "Worlds of other sizes and other shares of imitation are left out: imitation is the same for all, 60,000 tokens.",
    "How much depends on the method is not judged: RLOO is beside the claim, with five seeds of a block and the learning rate of PPO, which was not tuned for it. It compares eight plays of a problem, PPO has a critic and plays each problem once: batches are of 48 conversations for both. PPO takes four steps in two passes, RLOO four in one, since it is unbiased only where nothing is used twice.",
  ],
  tried: [
    "The end alone, as in the other recipes of these rooms: with two seeds at 0.003 PPO came to 0.76 and 0.87 with dense rewards and to 0.95 and 0.86 without, which leaves too little to gain. What is claimed is that training is faster, so success over training is measured now: 0.64, 0.63 and 0.60 beside 0.65, 0.66 and 0.69 with three seeds. RLOO came to 0.51 and 0.61 beside 0 and 0.",
    "One with all four sides tuned was written and never run: it would take twice as long.",
  ],
  finding: (f) =>
    `What the method has to do with it is not judged here, and 13 seeds a block are too few: runs vary so much that 132 would be needed. With PPO dense rewards change success over training by ${f.effect(0)} and in the end by ${f.effect(1)}, over ${f.count} seeds: from ${f.mean("PPO, dense", "before")} it comes to ${f.mean("PPO, dense", "accuracy")}, sparse to ${f.mean("PPO, sparse", "accuracy")}. Nothing is sparse here for a model that finds the door in one conversation of six before it is reinforced. RLOO breaks down at the learning rate that dense PPO was tuned to: with five seeds of each block it comes to ${f.mean("RLOO, dense", "accuracy")} with dense rewards and to ${f.mean("RLOO, sparse", "accuracy")} with sparse ones, which says nothing about RLOO at a rate of its own.`,
});
