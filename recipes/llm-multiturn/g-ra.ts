import { grpo } from "@reins/algorithms";
import type { TextTask } from "@reins/language";
import { recipe } from "@reins/recipes";
import { rooms, roomsMetrics, shortRooms, trainOn } from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

/** Reward for each move into a room: it can be exploited, and has little to do with the door. */
const step = 0.3;
const paying = (id: string, gate?: number): TextTask =>
  rooms({
    id,
    gate,
    turnReward: (_, { content }, [answer]) =>
      (content === "l" || content === "r") && answer && ".kd".includes(answer.content) ? step : 0,
  });
const arm = languageArms({
  ...shortRooms,
  options: { groups: 6, groupSize: 8, epochs: 1, clipNorm: 1, scale: "none" },
});

export default recipe({
  id: "g-ra",
  paper: "Stabilizing Long-term Multi-turn Reinforcement Learning with Gated Rewards",
  source: "arXiv:2508.10548",
  about:
    "Step rewards make long tasks learnable, but a policy can learn to collect them and neglect the task. Gated reward accumulation counts a conversation's step rewards only if its outcome, the reward of highest priority, reaches a threshold. Claimed: completion rises from 47.6% to 93.8% on SWE-bench Verified and from 22.0% to 86.0% on kBench, without the decline that plain sums of rewards cause.",
  system: arm("gated", grpo, {}, trainOn(paying("rooms, gated", 1))),
  baselines: [arm("plain sum", grpo, {}, trainOn(paying("rooms, steps paid")))],
  ablations: [arm("outcome alone", grpo)],
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
    "A one-layer transformer that looks for a key and a door in three rooms, and earns 0.3 for each move into a room, replaces models that repair software and earn rewards for actions that run. Walking for ten turns earns three times the reward of the door: the harm of a plain sum depends on this number, which was chosen here.",
    "Two priorities: the door, and steps. The paper's hierarchy has more. Advantages are not divided by the group's standard deviation, which would change the weight of steps relative to the outcome.",
    "The baseline is the same sum without the gate. The outcome alone, with the learning rate of the gated sum, is an ablation; the paper makes no claim about it.",
  ],
  tried: [
    "0.15 for a move, 30,000 tokens in batches of 64 and learning rates of 0.001 and 0.002: with two seeds both sums reached about the same, 0.51 gated and 0.47.",
    "15,000 tokens in batches of 64 at 0.004 with 0.3 for a move: 0.51 gated and 0 with three seeds; at 0.008 two of three gated runs collapsed.",
  ],
  finding: (f) =>
    `Gating gives much higher success than the plain sum, as claimed. The size of the gap depends on the reward for a move, which was chosen here; the plain sum was tuned to the smallest learning rate, where it learns nothing, because larger ones do worse than the initial model. The gate does not cure sparse rewards: four of its 20 runs collapsed to zero, as did four or five of ten with the outcome alone. Gated success goes from ${f.mean("gated", "before")} to ${f.mean("gated", "accuracy")}, the plain sum to ${f.mean("plain sum", "accuracy")}, in ${f.mean("plain sum", "turns")} turns of ten: ${f.effect(0)} over ${f.count} seeds. The outcome alone reaches ${f.mean("outcome alone", "accuracy")} on five seeds of each block with the gated sum's learning rate.`,
});
