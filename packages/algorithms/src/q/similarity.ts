import {
  add,
  div,
  gt,
  mul,
  relu,
  rsqrt,
  sqrt,
  square,
  stopGradient,
  sub,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";
import type { RepresentationPenalty } from "../td3/penalty.ts";

const squares = (x: Tensor): Tensor => sum(square(x), -1);

/** Cosine similarity of the features of consecutive state-action pairs, [members, rows]. */
export function similarity(now: Tensor, next: Tensor): Tensor {
  const inverse = mul(rsqrt(add(squares(now), 1e-12)), rsqrt(add(squares(next), 1e-12)));
  return mul(sum(mul(now, next), -1), inverse);
}

/**
 * A penalty on features of consecutive pairs that are more similar than the Bellman equation allows. w·φ = r + γ
 * w·φ' implies |r| ≤ ‖w‖ ‖φ - γφ'‖, and with it an upper bound on the cosine of φ and φ'; only the excess is
 * penalised. He et al., "Adaptive Regularization of Representation Rank as an Implicit Constraint of Bellman
 * Equation" (2024), theorem 1 and equation 7.
 */
export function bellmanSimilarity(weight: number): RepresentationPenalty {
  return ({ now, next, reward, discount }) => {
    const [a, b] = [squares(now.features), squares(next.features)];
    const rewardPart = div(square(reward), squares(now.head).reshape([-1, 1]));
    const above = sub(add(a, mul(square(discount), b)), rewardPart);
    const bound = div(above, add(mul(mul(2, discount), sqrt(mul(a, b))), 1e-12));
    const excess = relu(sub(similarity(now.features, next.features), stopGradient(bound)));
    // Terminal transitions have no next pair.
    return mul(where(gt(discount, 0), excess, 0), weight);
  };
}
