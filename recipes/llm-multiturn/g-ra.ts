import { grpo } from "@reins/algorithms";
import type { Family } from "@reins/language";
import { recipe } from "@reins/recipes";
import { rooms, roomsMetrics, shortRooms, trainedOn } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

/** What a move into a room earns, again and again: it can be lived on, and has little to do with the door. */
const step = 0.3;
const paying = (id: string, gate?: number): Family =>
  rooms({
    id,
    gate,
    pay: (_, { content }, [answer]) =>
      (content === "l" || content === "r") && answer && ".kd".includes(answer.content) ? step : 0,
  });
const side = wordsSides({
  ...shortRooms,
  options: { groups: 6, plays: 8, epochs: 1, clipNorm: 1, scale: "none" },
});

export default recipe({
  id: "g-ra",
  paper: "Stabilizing Long-term Multi-turn Reinforcement Learning with Gated Rewards",
  source: "arXiv:2508.10548",
  about:
    "Rewards for steps on the way make long tasks learnable, and can be lived on: a policy then collects them and leaves the task. Gated reward accumulation counts a conversation's step rewards only where its outcome, the reward of highest priority, reaches a threshold. Claimed: completion rises from 47.6% to 93.8% on SWE-bench Verified and from 22.0% to 86.0% on kBench, without the decline that plain sums of rewards bring.",
  system: side("gated", grpo, {}, trainedOn(paying("rooms, gated", 1))),
  baselines: [side("plain sum", grpo, {}, trainedOn(paying("rooms, steps paid")))],
  ablations: [side("outcome alone", grpo)],
  metrics: roomsMetrics,
  claims: [
    {
      metric: "accuracy",
      smallest: 0.1,
      because: "a fifth of the paper's 46 points",
      paper: "47.6% to 93.8%",
    },
  ],
  grid: { learningRate: [1e-3, 3e-3, 9e-3] },
  budget: { unit: "tokens", full: 20_000, quick: 2000 },
  minutes: 1,
  deviations: [
    "A transformer of one layer that looks for a key and a door in three rooms, and earns 0.3 for each move into a room, stands for models that mend software and earn for actions that run. Walking for ten turns earns three times what the door does: how far a plain sum leads astray is up to that number, which was chosen here.",
    "Two priorities: the door, and steps. The paper's hierarchy has more. Advantages are not divided by the group's deviation, which would change what steps are worth beside the outcome.",
    "The baseline is the same sum without the gate. The outcome alone, with the learning rate of the gated sum, is shown beside the claim, which the paper does not make of it.",
  ],
  tried: [
    "0.15 for a move, 30,000 tokens in batches of 64 and rates of 0.001 and 0.002: with two seeds both sums came to about the same, 0.51 gated and 0.47.",
    "15,000 tokens in batches of 64 at 0.004 with 0.3 for a move: 0.51 gated and 0 with three seeds; at 0.008 two of three gated runs broke down.",
  ],
  finding: (f) =>
    `How far the plain sum falls is up to what a move earns, which was chosen here. Its tuning went to the smallest rate of all, where it learns nothing: any more and it does worse than imitation did. The gate is no cure for sparse rewards: four of its 20 runs broke down to nothing, and so did the outcome alone in four or five of ten. Gated, success comes from ${f.mean("gated", "before")} to ${f.mean("gated", "accuracy")}, the plain sum to ${f.mean("plain sum", "accuracy")}, in ${f.mean("plain sum", "turns")} turns of ten: ${f.effect()} over ${f.count} seeds. The outcome alone comes to ${f.mean("outcome alone", "accuracy")} with five seeds of each block and the gated sum's rate.`,
});
