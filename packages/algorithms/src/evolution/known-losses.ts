import type { LossGraph } from "./loss-graph.ts";

/** DQN's loss: the squared error between Q(s, a) and r + γ max Q⁻(s', ·). */
export const dqnLoss: LossGraph = [
  { op: "q", of: ["online", "state"] },
  { op: "pick", of: [0, "action"] },
  { op: "q", of: ["target", "next"] },
  { op: "max", of: [2] },
  { op: "mul", of: ["discount", 3] },
  { op: "add", of: ["reward", 4] },
  { op: "sub", of: [1, 5] },
  { op: "square", of: [6] },
];

/**
 * Double DQN's loss: the online network chooses the action, the target network evaluates it (van Hasselt et al.,
 * 2016).
 */
export const doubleDqnLoss: LossGraph = [
  ...dqnLoss.slice(0, 3),
  { op: "q", of: ["online", "next"] },
  { op: "best", of: [3] },
  { op: "pick", of: [2, 4] },
  { op: "mul", of: ["discount", 5] },
  { op: "add", of: ["reward", 6] },
  { op: "sub", of: [1, 7] },
  { op: "square", of: [8] },
];

/** DQNReg, an evolved loss: DQN's loss plus a tenth of Q(s, a), against overestimation (Co-Reyes et al., 2021). */
export const dqnRegLoss: LossGraph = [...dqnLoss, { op: "mul", of: ["0.1", 1] }, { op: "add", of: [7, 8] }];

/**
 * DQNClipped, another evolved loss: max(Q, δ² + Y) + max(Q - Y, γ (max Q⁻)²) with Y = r + γ max Q⁻ (Co-Reyes et
 * al., 2021).
 *
 * @experimental
 */
export const dqnClippedLoss: LossGraph = [
  ...dqnLoss,
  { op: "add", of: [7, 5] },
  { op: "larger", of: [1, 8] },
  { op: "square", of: [3] },
  { op: "mul", of: ["discount", 10] },
  { op: "larger", of: [6, 11] },
  { op: "add", of: [9, 12] },
];
