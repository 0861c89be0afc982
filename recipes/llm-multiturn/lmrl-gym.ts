import { ppo, sft } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { roomsMetrics, shortRooms, shownRight } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

const side = wordsSides(shortRooms);
const critic = { envs: 48, epochs: 2, minibatches: 2, entropyWeight: 0.001, gamma: 1, lambda: 0.95 };

export default recipe({
  id: "lmrl-gym",
  paper: "LMRL Gym: Benchmarks for Multi-Turn Reinforcement Learning with Language Models",
  source: "arXiv:2311.18232",
  about:
    "Eight tasks of several turns in words, with recorded conversations of imperfect players, and a set of methods: imitation of all, imitation of what went well, offline values, and online reinforcement. What they show: reinforcement can do better than the players that were recorded, and in most tasks better than imitation of the best of what they did.",
  system: side("PPO", ppo, critic),
  baselines: [side("imitation of what went well", sft, { batch: 48 }, { change: shownRight })],
  ablations: [side("imitation of all", sft, { batch: 48 })],
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
    "A transformer of one layer that looks for a key and a door in three rooms stands for GPT-2 in mazes, text games and dialogues, of which Reins has several as worlds of their own.",
    "The benchmark's offline values (ILQL, Monte Carlo returns) are left out: what is compared is imitation, imitation of the best and online PPO.",
    "Recorded conversations are drawn anew from a player that errs in four moves of ten, as many tokens as PPO writes, failed ones counted; there is no fixed set that could be fitted too closely. All sides begin with the model that imitated 60,000 tokens of the same player. Imitation of all has PPO's learning rate, and no claim.",
  ],
  tried: ["No other form: chosen before any run of it."],
  finding: (f) =>
    `A player that errs in four moves of ten bounds imitation, and offline values, which the benchmark is for, are not among the sides. Online PPO comes from ${f.mean("PPO", "before")} to ${f.mean("PPO", "accuracy")}, imitation of what went well to ${f.mean("imitation of what went well", "accuracy")}: ${f.effect()} over ${f.count} seeds. More imitation of all comes to ${f.mean("imitation of all", "accuracy")} with five seeds of each block.`,
});
