import { grpo } from "@reins/algorithms";
import { signals } from "@reins/core";
import { recipe } from "@reins/recipes";
import { roomsMetrics, shortRooms } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

/** Three rooms, a key and a door, up to ten turns, paid in the end. */
const side = wordsSides({
  ...shortRooms,
  options: { groups: 6, plays: 8, epochs: 1, clipNorm: 1 },
});
/** A band around what the entropy was, whose weight grows. */
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
    "In long conversations that are paid in the end alone, a policy either settles too early or, pushed by a reward for entropy, becomes chaotic later. EPO adds to the loss a reward for entropy over all turns, and a penalty where entropy leaves a band around its own average so far (0.8 to 1.2 of it), with a weight that grows over training. Claimed: up to 152% more on ScienceWorld, up to 19.8% on ALFWorld, and entropy that varies less.",
  system: side("EPO", grpo, { entropyWeight, ...band }),
  baselines: [side("GRPO", grpo)],
  ablations: [side("entropy alone", grpo, { entropyWeight })],
  metrics: roomsMetrics,
  claims: [
    {
      metric: "accuracy",
      smallest: 0.05,
      because: "a tenth of what is learned here; the paper's best gain is far more",
      paper: "up to 152%",
    },
  ],
  grid: { learningRate: [1e-3, 3e-3, 9e-3] },
  budget: { unit: "tokens", full: 20_000, quick: 2000 },
  minutes: 1,
  deviations: [
    "A transformer of one layer that looks for a key and a door in three rooms, in up to ten turns, stands for models of up to 7 billion weights and thirty turns and more. Entropy does not collapse here within 25 updates: what EPO is made to prevent hardly happens.",
    "The paper's penalty is a constant for each token whose entropy is outside of the band, which has no gradient; here it is how far it is outside. The average so far is a moving one (0.8 a round).",
    "Weights: 0.01 for entropy, 0.005 to 0.02 for the band, not tuned. All sides have GRPO's update; learning rates are tuned for each.",
  ],
  tried: [
    "Four rooms and fourteen turns: the same at three times the cost. The form that is measured, with two seeds at 0.003: EPO 0.43, GRPO 0.52, a reward for entropy alone 0.48.",
  ],
  finding: (f) =>
    `Entropy hardly collapses here, so that there is little to prevent. Success changes by ${f.effect()} over ${f.count} seeds: EPO comes from ${f.mean("EPO", "before")} to ${f.mean("EPO", "accuracy")}, GRPO to ${f.mean("GRPO", "accuracy")}; with a reward for entropy alone and EPO's learning rate it is ${f.mean("entropy alone", "accuracy")} with five seeds of each block. The entropy of a token over training is ${f.mean("EPO", "policy/entropy")}, ${f.mean("GRPO", "policy/entropy")} and ${f.mean("entropy alone", "policy/entropy")} nats.`,
});
