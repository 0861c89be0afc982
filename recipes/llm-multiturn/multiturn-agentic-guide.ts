import { ppo, rloo } from "@reins/algorithms";
import type { Family } from "@reins/language";
import { recipe } from "@reins/recipes";
import { rooms, roomsTask } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

/** Three rooms, a key and a door, up to ten turns; dense rewards pay half for the turn that takes the key. */
const sparse = rooms({ id: "rooms" });
const dense = rooms({ id: "rooms, key paid", pay: (_, __, [answer]) => (answer?.content === "+" ? 0.5 : 0) });
const critic = { envs: 64, epochs: 2, minibatches: 2, entropyWeight: 0.001, gamma: 1, lambda: 0.95 };
const biased = (family: Family) => wordsSides({ ...roomsTask, family, options: critic });
const unbiased = (family: Family) =>
  wordsSides({
    ...roomsTask,
    family,
    options: { groups: 8, plays: 8, minibatches: 4, clipNorm: 1 },
  });
const points = { metric: "accuracy", smallest: 0.05, because: "a tenth of what is learned here" } as const;

export default recipe({
  id: "multiturn-agentic-guide",
  paper: "A Practitioner's Guide to Multi-turn Agentic Reinforcement Learning",
  source: "arXiv:2510.01132",
  about:
    "A study of what matters when language models are trained in conversations: how large the world is, how often a turn is paid, whether the method is biased (PPO, GRPO) or not (RLOO), how much is imitated first. Claimed: rewards for turns on the way speed training up, how much and how steadily depends on the method; methods with a critic gain more in long tasks than RLOO does.",
  system: biased(dense)("PPO, dense", ppo),
  baselines: [
    biased(sparse)("PPO, sparse", ppo),
    unbiased(dense)("RLOO, dense", rloo),
    unbiased(sparse)("RLOO, sparse", rloo),
  ],
  metrics: {
    accuracy: { about: "held-out success", better: "higher", worst: 0, best: 1 },
    area: { about: "the same over training", better: "higher", worst: 0, best: 1 },
  },
  claims: [
    { ...points, contrast: ["PPO, dense", "PPO, sparse"], paper: "dense rewards accelerate training" },
    { ...points, contrast: ["RLOO, dense", "RLOO, sparse"], paper: "the same, less steadily" },
    { ...points, contrast: ["PPO, sparse", "RLOO, sparse"], paper: "biased methods gain more" },
  ],
  grid: { learningRate: [1e-3, 2e-3, 4e-3] },
  budget: { unit: "tokens", full: 30_000, quick: 2000 },
  minutes: 4,
  deviations: [
    "A transformer of one layer that looks for a key and a door in three rooms stands for Qwen models in TextWorld, ALFWorld and SWE-Gym. Dense rewards are half of the door's for the key, once.",
    "How worlds of other sizes and other shares of imitation compare is left out: imitation is the same for all, 60,000 tokens.",
    "RLOO compares eight plays of a problem, PPO has a critic and plays each problem once: batches are of 64 conversations for both. PPO takes four steps in two passes, RLOO four in one, since it is unbiased only where nothing is used twice.",
  ],
  tried: ["No other form: chosen before any run of it."],
  finding: (f) =>
    `Dense rewards change success by ${f.effect()} with PPO and by ${f.effect(1)} with RLOO; PPO is beside RLOO by ${f.effect(2)}, over ${f.count} seeds. From ${f.mean("PPO, dense", "before")} PPO comes to ${f.mean("PPO, dense", "accuracy")} (sparse ${f.mean("PPO, sparse", "accuracy")}), RLOO to ${f.mean("RLOO, dense", "accuracy")} (sparse ${f.mean("RLOO, sparse", "accuracy")}).`,
});
