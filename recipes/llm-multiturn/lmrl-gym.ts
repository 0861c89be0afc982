import { ppo, sft } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { correctDemonstrations, roomsMetrics, shortRooms } from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

const arm = languageArms(shortRooms);
const critic = { envs: 48, epochs: 2, minibatches: 2, entropyWeight: 0.001, gamma: 1, lambda: 0.95 };

export default recipe({
  id: "lmrl-gym",
  paper: "LMRL Gym: Benchmarks for Multi-Turn Reinforcement Learning with Language Models",
  source: "arXiv:2311.18232",
  about:
    "Eight multi-turn language tasks with recorded conversations of imperfect players, and a set of methods: imitation of all conversations, imitation of successful ones, offline value learning, and online RL. The finding: RL can do better than the recorded players, and in most tasks better than imitation of their best conversations.",
  system: arm("PPO", ppo, critic),
  baselines: [arm("imitation of what went well", sft, { batch: 48 }, { change: correctDemonstrations })],
  ablations: [arm("imitation of all", sft, { batch: 48 })],
  metrics: roomsMetrics,
  claims: [
    {
      metric: "accuracy",
      smallest: 0.05,
      because: "a tenth of what is learned here",
      paper: "in most tasks",
    },
  ],
  grid: { learningRate: [1e-3, 3e-3, 9e-3] },
  budget: { unit: "tokens", full: 20_000, quick: 2000 },
  minutes: 1,
  deviations: [
    "A one-layer transformer that looks for a key and a door in three rooms replaces GPT-2 in mazes, text games and dialogues, several of which Reins has as separate environments.",
    "The benchmark's offline methods (ILQL, Monte Carlo returns) are left out: imitation, imitation of successful conversations and online PPO are compared.",
    "Recorded conversations are sampled from a player that errs in four moves of ten, with as many tokens as PPO generates, failed ones included; without a fixed dataset to overfit. All arms begin with the model fine-tuned on 60,000 tokens of the same player. Imitation of all has PPO's learning rate, and no claim.",
  ],
  tried: ["No other form: chosen before any run of it."],
  finding: (f) =>
    `Online PPO clearly beats imitation of successful conversations, as claimed. A player that errs in four moves of ten bounds imitation, and offline value learning, the benchmark's focus, is not among the arms. PPO goes from ${f.mean("PPO", "before")} to ${f.mean("PPO", "accuracy")}, imitation of successful conversations to ${f.mean("imitation of what went well", "accuracy")}: ${f.effect(0)} over ${f.count} seeds. More imitation of all conversations reaches ${f.mean("imitation of all", "accuracy")} on five seeds of each block.`,
});
