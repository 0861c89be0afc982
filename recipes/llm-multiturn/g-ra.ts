import { grpo } from "@reins/algorithms";
import type { Family } from "@reins/language";
import { recipe } from "@reins/recipes";
import { rooms, roomsTask } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

/** What a step earns that changes something: each look into a room, again and again. It can be lived on, and has little to do with the door. */
const looks = (turn: string, answer: string | undefined) =>
  (turn === "l" || turn === "r") && answer !== undefined && ".kd".includes(answer) ? 0.15 : 0;
const paying = (id: string, gate?: number): Family =>
  rooms({ id, gate, pay: (_, { content }, [answer]) => looks(content, answer?.content) });
const task = (family: Family) =>
  wordsSides({
    ...roomsTask,
    family,
    options: { groups: 8, plays: 8, epochs: 1, clipNorm: 1, scale: "none" },
  });

export default recipe({
  id: "g-ra",
  paper: "Stabilizing Long-term Multi-turn Reinforcement Learning with Gated Rewards",
  source: "arXiv:2508.10548",
  about:
    "Rewards for steps on the way make long tasks learnable, and can be lived on: a policy then collects them and leaves the task. Gated reward accumulation counts a conversation's step rewards only where its outcome, the reward of highest priority, reaches a threshold. Claimed: completion rises from 47.6% to 93.8% on SWE-bench Verified and from 22.0% to 86.0% on kBench, without the decline that plain sums of rewards bring.",
  system: task(paying("rooms, gated", 1))("gated", grpo),
  baselines: [
    task(paying("rooms, steps paid"))("plain sum", grpo),
    task(rooms({ id: "rooms" }))("outcome alone", grpo),
  ],
  metrics: {
    accuracy: { about: "held-out success", better: "higher", worst: 0, best: 1 },
    area: { about: "the same over training", better: "higher", worst: 0, best: 1 },
    turns: { about: "turns of a conversation", better: "lower", worst: 10, best: 4 },
  },
  claims: [
    {
      metric: "accuracy",
      contrast: ["gated", "plain sum"],
      smallest: 0.1,
      because: "a fifth of the paper's 46 points",
      paper: "47.6% to 93.8%",
    },
    {
      metric: "accuracy",
      contrast: ["gated", "outcome alone"],
      smallest: 0.05,
      because: "otherwise step rewards could be left out",
    },
  ],
  grid: { learningRate: [1e-3, 2e-3, 4e-3] },
  budget: { unit: "tokens", full: 30_000, quick: 2000 },
  minutes: 4,
  deviations: [
    "A transformer of one layer that looks for a key and a door in three rooms, and earns 0.15 for each move into a room, stands for models that mend software and earn for actions that run. Ten turns of moves earn more than the door does.",
    "Two priorities: the door, and steps. The paper's hierarchy may have more. Advantages are not divided by the group's deviation, which would change what steps are worth beside the outcome.",
    "The baseline is the same sum without the gate. The second claim, which the paper does not make, asks whether gated step rewards are better than none.",
  ],
  tried: ["No other form: chosen before any run of it."],
  finding: (f) =>
    `The gate changes success by ${f.effect()}, beside no step rewards by ${f.effect(1)}, over ${f.count} seeds. From ${f.mean("gated", "before")} it comes to ${f.mean("gated", "accuracy")} in ${f.mean("gated", "turns")} turns, the plain sum to ${f.mean("plain sum", "accuracy")} in ${f.mean("plain sum", "turns")}, the outcome alone to ${f.mean("outcome alone", "accuracy")}.`,
});
