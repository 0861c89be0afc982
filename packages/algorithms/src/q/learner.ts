import type { Learner, TrainState } from "@reins/core";
import { copyOf } from "@reins/core/forms";
import { initTrainState, optimiserStep } from "@reins/core/loops";
import { type TransitionColumns, transitions } from "@reins/core/replay";
import type { LiveValue } from "@reins/core/settings";
import * as nn from "@reins/nn";
import {
  add,
  argmax,
  huber,
  mean,
  mul,
  pick,
  stopGradient,
  sub,
  type Tensor,
  type Tree,
  valueAndGradient,
  where,
} from "@reins/tensor";

/** Settings of {@link qLearner}. */
export interface QLearnerOptions<P extends Tree> {
  init(key: Tensor): P;
  /** Values of all actions, [rows, actions]. */
  values(weights: P, observation: Tree, key?: Tensor, learn?: Tensor): Tensor;
  /** Number of the first action. */
  readonly start: number;
  readonly learningRate: LiveValue;
  readonly clipNorm: LiveValue;
  /** Polyak coefficient of the target network at each update. */
  readonly tau: LiveValue;
}

/** Online and target network. */
export type QState<P extends Tree = Tree> = { online: TrainState<P>; target: P };

/**
 * Double Q-learning (van Hasselt et al., 2016) from minibatches, for any network and any source of transitions:
 * the online network chooses the next action, a polyak-averaged target network evaluates it.
 */
export function qLearner<P extends Tree>(options: QLearnerOptions<P>): Learner<QState<P>, TransitionColumns> {
  const { init, values, start, learningRate, clipNorm, tau } = options;
  const optimiser = nn.adam();
  return {
    reads: transitions,
    init(key) {
      const online = init(key);
      return { online: initTrainState(online, optimiser), target: copyOf(online) };
    },
    acting: (state) => state.online.weights,
    update({ online, target }, batch, { key }) {
      const { observation, reward, discount, next, nextMask } = batch;
      const action = start === 0 ? (batch.action as Tensor) : sub(batch.action as Tensor, start);
      const outlook = values(online.weights, next);
      const chosen = argmax(nextMask ? where(nextMask as Tensor, outlook, -1e30) : outlook);
      const tdTarget = stopGradient(add(reward, mul(discount, pick(values(target, next), chosen))));
      const { value, gradient, aux } = valueAndGradient((w: P) => {
        const predicted = pick(values(w, observation, undefined, key), action);
        return [mean(huber(sub(predicted, tdTarget))), { value: mean(predicted) }] as const;
      })(online.weights);
      const { learned, norm } = optimiserStep(online, gradient, { optimiser, learningRate, clipNorm });
      return {
        state: { online: learned, target: nn.polyak(target, learned.weights, tau.tensor) },
        metrics: { "loss/value": value, "value/mean": aux.value, ...(norm ? { "gradient/norm": norm } : {}) },
      };
    },
  };
}
