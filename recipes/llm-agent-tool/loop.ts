import { ppo, rloo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { roomsMetrics, shortRooms } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

const side = wordsSides(shortRooms);
/** Four steps for each batch of 48 conversations, in two passes. */
const steps = { epochs: 2, minibatches: 2, clipNorm: 1 };
const six = { ...steps, groups: 6, plays: 8, hold: "clip", aggregation: "token" } as const;

export default recipe({
  id: "loop",
  paper: "Reinforcement Learning for Long-Horizon Interactive LLM Agents",
  source: "arXiv:2502.01600",
  about:
    "Agents that call the API of a world with a state learn in that world. LOOP is PPO without a network of values: a play is compared with the others of the same task, all its tokens have that advantage, their ratios are clipped one by one, and a batch is used for several steps. Nothing but the model itself is kept, no critic and no reference. Claimed: of AppWorld's tasks it solves 71%, PPO with a learned critic 51% and GRPO 58%.",
  system: side("LOOP", rloo, six),
  baselines: [side("PPO with a critic", ppo, { ...steps, envs: 48, gamma: 1, lambda: 0.95 })],
  ablations: [side("one step a batch (RLOO)", rloo, { ...six, epochs: 1, minibatches: 1, hold: "none" })],
  metrics: roomsMetrics,
  claims: [
    {
      metric: "accuracy",
      smallest: 0.05,
      because: "a quarter of the paper's 20 points",
      paper: "71.3% and 50.8%",
    },
  ],
  grid: { learningRate: [1e-3, 3e-3, 9e-3] },
  budget: { unit: "tokens", full: 20_000, quick: 2000 },
  minutes: 1,
  deviations: [
    "A transformer of one layer that looks for a key and a door in three rooms stands for Qwen 2.5 of 32 billion weights that writes programs against the APIs of nine apps. Both act in a state that they see a part of and are paid in the end, but there is no documentation to be read, and a conversation has at most ten turns.",
    "The critic is a second head of the policy's own network, which costs hardly any memory: what LOOP saves is not measured. It is also easier to learn here, where a few tokens say how far a play has come, than of programs of thousands of tokens.",
    "Both take four steps for each batch of 48 conversations: six tasks with eight plays each for LOOP, 48 tasks for PPO. The paper has six plays of a task.",
    "RLOO is shown beside the claim, with LOOP's learning rate, which was not tuned for it. GRPO and others that the paper compares with are left out.",
  ],
  tried: [
    "No other form. With two seeds at 0.003 LOOP came to 0.63 and PPO to 0.86; with advantages divided by the deviation, as GRPO has them, LOOP came to 0.60.",
  ],
  finding: (f) =>
    `The paper's 20 points over a critic are not seen: here, where a critic has an easy task, it is about as good or a little better. LOOP changes success by ${f.effect()} over ${f.count} seeds: from ${f.mean("LOOP", "before")} it comes to ${f.mean("LOOP", "accuracy")}, PPO with a critic to ${f.mean("PPO with a critic", "accuracy")}. With LOOP's learning rate and five seeds of each block, one step a batch comes to ${f.mean("one step a batch (RLOO)", "accuracy")}.`,
});
