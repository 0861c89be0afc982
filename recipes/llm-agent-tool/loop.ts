import { ppo, rloo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { roomsMetrics, shortRooms } from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

const arm = languageArms(shortRooms);
/** Four gradient steps per batch of 48 conversations, in two epochs. */
const steps = { epochs: 2, minibatches: 2, clipNorm: 1 };
const six = { ...steps, groups: 6, groupSize: 8, ratioBound: "clip", aggregation: "token" } as const;

export default recipe({
  id: "loop",
  paper: "Reinforcement Learning for Long-Horizon Interactive LLM Agents",
  source: "arXiv:2502.01600",
  about:
    "Agents that call the API of a stateful world learn in that world. LOOP is PPO without a value network: a rollout is compared with the others of the same task (leave-one-out), all its tokens share this advantage, importance ratios are clipped per token, and a batch is used for several updates. Only the model itself is kept, without critic or reference model. Claimed: LOOP solves 71% of AppWorld's tasks, PPO with a learned critic 51% and GRPO 58%.",
  system: arm("LOOP", rloo, six),
  baselines: [arm("PPO with a critic", ppo, { ...steps, envs: 48, gamma: 1, lambda: 0.95 })],
  ablations: [
    arm("one step a batch (RLOO)", rloo, { ...six, epochs: 1, minibatches: 1, ratioBound: "none" }),
  ],
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
    "A one-layer transformer that looks for a key and a door in three rooms replaces a 32-billion-weight Qwen 2.5 that writes programs against the APIs of nine apps. Both act under partial observability with a reward at the end, but this task has no documentation to read, and a conversation has at most ten turns.",
    "The critic is a second head of the policy's network and costs hardly any memory, so LOOP's savings are not measured. It is also easier to learn here, where a few tokens show the progress, than for programs of thousands of tokens.",
    "Both take four gradient steps per batch of 48 conversations: six tasks with eight samples each for LOOP, 48 tasks for PPO. The paper has six samples per task.",
    "RLOO is an ablation with LOOP's learning rate, not tuned for it. GRPO and the paper's other baselines are left out.",
  ],
  tried: [
    "No other form. With two seeds at 0.003 LOOP reached 0.63 and PPO 0.86; with advantages divided by the standard deviation, as in GRPO, LOOP reached 0.60.",
  ],
  finding: (f) =>
    `Undecided: the paper's 20 points over a critic do not appear, and a learned critic is about as good or slightly better. The critic's task is easy here, which favours it. LOOP changes success by ${f.effect(0)} over ${f.count} seeds: from ${f.mean("LOOP", "before")} it reaches ${f.mean("LOOP", "accuracy")}, PPO with a critic ${f.mean("PPO with a critic", "accuracy")}. With LOOP's learning rate and five seeds of each block, one gradient step per batch reaches ${f.mean("one step a batch (RLOO)", "accuracy")}.`,
});
