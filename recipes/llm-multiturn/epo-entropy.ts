import { grpo } from "@reins/algorithms";
import * as signals from "@reins/core/signals";
import { recipe } from "@reins/recipes";
import { roomsMetrics, shortRooms } from "@reins/recipes/conversations";
import { languageArms, untrainedArm } from "@reins/recipes/language";

/** Three rooms, a key and a door, up to ten turns, with a reward at the end. */
const arm = languageArms({
  ...shortRooms,
  options: { groups: 6, groupSize: 8, epochs: 1, clipNorm: 1 },
});
/** A penalty outside a band around the average entropy, with a growing weight. */
const band = {
  bandWeight: signals.exponential(0.005, 0.02),
  bandCentre: signals.average({ of: "policy/entropy", initial: 0.9, decay: 0.8 }),
};
const entropyWeight = 0.01;

export default recipe({
  id: "epo-entropy",
  paper: "EPO: Entropy-regularized Policy Optimization for LLM Agents Reinforcement Learning",
  source: "arXiv:2509.22576",
  about:
    "In long conversations with a reward at the end alone, a policy either converges too early or, with an entropy bonus, becomes chaotic later. EPO adds an entropy bonus over all turns, and a penalty where entropy leaves a band around its own running average (0.8 to 1.2 of it), with a weight that grows over training. Claimed: up to 152% more on ScienceWorld, up to 19.8% on ALFWorld, and steadier entropy.",
  system: arm("EPO", grpo, { entropyWeight, ...band }),
  baselines: [arm("GRPO", grpo)],
  ablations: [
    arm("entropy alone", grpo, { entropyWeight }),
    untrainedArm({ name: "before RL", ...shortRooms }),
  ],
  metrics: roomsMetrics,
  claims: [
    {
      metric: "accuracy",
      smallest: 0.05,
      because: "a tenth of what is learned here; the paper's best gain is far more",
      presupposes: {
        metric: "entropy",
        side: "before RL",
        over: "GRPO",
        least: 0.8,
        because: "entropy must collapse, by most of what there is before RL",
      },
      paper: "up to 152%",
    },
  ],
  grid: { learningRate: [1e-3, 3e-3, 9e-3] },
  budget: { unit: "tokens", full: 20_000, quick: 2000 },
  minutes: 1,
  deviations: [
    "A one-layer transformer that looks for a key and a door in three rooms, in up to ten turns, replaces models of up to 7 billion weights and conversations of thirty turns and more. Entropy does not collapse here within 25 updates, so the failure that EPO prevents hardly occurs.",
    "The paper's penalty is a constant for each token whose entropy is outside the band, which has no gradient; here it is the distance from the band. The average is a moving one (0.8 per update).",
    "Weights: 0.01 for entropy, 0.005 to 0.02 for the band, not tuned. All arms have GRPO's update; the learning rate is tuned for each.",
  ],
  tried: [
    "Four rooms and fourteen turns: the same result at three times the cost. The measured form, with two seeds at 0.003: EPO 0.43, GRPO 0.52, an entropy bonus alone 0.48.",
  ],
  finding: (f) =>
    `Untestable: entropy does not collapse here, so there is nothing for EPO to prevent. What speaks against this: EPO is behind GRPO nevertheless, by an uncertain amount, and its weights were not tuned. Final token entropy is ${f.mean("GRPO", "entropy")} nats with GRPO, where it was ${f.mean("before RL", "entropy")} before, ${f.mean("EPO", "entropy")} with EPO and ${f.mean("entropy alone", "entropy")} with an entropy bonus alone. Success goes from ${f.mean("EPO", "before")} to ${f.mean("EPO", "accuracy")} with EPO and to ${f.mean("GRPO", "accuracy")} with GRPO over ${f.count} seeds; an entropy bonus alone with EPO's learning rate reaches ${f.mean("entropy alone", "accuracy")} on five seeds of each block.`,
});
