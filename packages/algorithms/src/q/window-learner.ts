import { type Learner, type TrainState, when } from "@reins/core";
import { copyOf } from "@reins/core/forms";
import { initTrainState, optimiserStep } from "@reins/core/loops";
import type { LiveValue } from "@reins/core/settings";
import * as nn from "@reins/nn";
import {
  abs,
  add,
  and,
  cast,
  concat,
  div,
  ge,
  iota,
  max,
  maximum,
  mul,
  oneHot,
  or,
  scalar,
  slice,
  square,
  stopGradient,
  sub,
  sum,
  type Tensor,
  type Tree,
  transpose,
  treeMap,
  valueAndGradient,
} from "@reins/tensor";
import { bestAllowed } from "./greedy.ts";
import type { RecurrentQNetwork, RecurrentQParams } from "./recurrent-network.ts";
import { rescaled, unscaled } from "./rescaling.ts";
import { windowReturns } from "./window-target.ts";
import { windowValues } from "./window-values.ts";

/** Online and target network, and the number of updates. */
export type WindowState = {
  online: TrainState<RecurrentQParams>;
  target: RecurrentQParams;
  count: Tensor;
};

/** Settings of {@link windowLearner}. */
export interface WindowLearnerParts {
  readonly network: RecurrentQNetwork;
  /** Burn-in steps at the beginning of a window. */
  readonly burnIn: number;
  readonly nStep: number;
  readonly rescale: boolean;
  readonly peak: LiveValue;
  /** Number of the first action. */
  readonly start: number;
  readonly optimiser: nn.Optimiser;
  readonly learningRate: LiveValue;
  readonly clipNorm: LiveValue;
  readonly tau: LiveValue;
  readonly targetEvery: LiveValue;
}

/** Columns of `windows`, [rows, length, …]. */
type Steps = {
  observation: Tree;
  next: Tree;
  action: Tensor;
  reward: Tensor;
  discount: Tensor;
  valid: Tensor;
  first: Tensor;
  mask?: Tensor;
  nextMask?: Tensor;
};

/** Columns of `windows` with the policy's memory state at the start of each window. */
type WindowColumns = Steps & { state: { memory: Tree } };

/** Double Q-learning with n-step returns from replayed windows, for a recurrent network (Kapturowski et al., 2019). */
export function windowLearner(parts: WindowLearnerParts): Learner<WindowState, WindowColumns> {
  const { network, burnIn, optimiser } = parts;
  const [shrink, widen] = parts.rescale ? [rescaled, unscaled] : [(x: Tensor) => x, (x: Tensor) => x];
  return {
    reads: ["observation", "action", "reward", "discount", "next", "valid", "first", "state"],
    init(key) {
      const online = network.init(key);
      const target = copyOf(online);
      return { online: initTrainState(online, optimiser), target, count: scalar(0, "i32") };
    },
    acting: ({ online }) => online.weights,
    update({ online, target, count }, { state, ...batch }, { key, weight }) {
      const inTime: Steps = treeMap((t) => transpose(t, 0, 1), batch);
      const { observation, next, mask, nextMask, ...steps } = inTime;
      const [length, rows] = steps.reward.shape;
      // The observation of each step and the final one: within a window, the next observation is the next step's.
      const seen = treeMap((o, n) => concat([slice(o, [[0, 1]]), n]), observation, next);
      const may = mask && nextMask ? concat([slice(mask, [[0, 1]]), nextMask]) : undefined;
      const fresh = slice(steps.first, [[0, 1]]).reshape([rows]);

      const window = { seen, memory: state.memory, fresh, burnIn };
      const unroll = (w: RecurrentQParams, learn?: Tensor) => windowValues(network, w, window, learn);

      const outlook = unroll(target);
      const late = ge(iota([length, rows]), burnIn);
      const counts = cast(and(steps.valid, or(late, fresh)), "f32");
      const { gradient, aux } = valueAndGradient((w: RecurrentQParams) => {
        const values = unroll(w, key);
        const chosen = oneHot(flatBest(values, may), values.shape[2]);
        const reached = widen(sum(mul(outlook, chosen.reshape(values.shape)), -1));
        const tdTarget = stopGradient(shrink(windowReturns(steps, reached, parts.nStep)));
        const taken = oneHot(sub(steps.action, parts.start), values.shape[2]);
        const predicted = sum(mul(slice(values, [[0, length]]), taken), -1);
        const error = mul(sub(predicted, tdTarget), counts);
        // One loss per window, to which every step contributes equally.
        const loss = mul(sum(square(error), 0), 0.5 / (length - burnIn));
        return [
          (weight ? mul(loss, weight) : loss).mean(),
          { error: abs(error), value: mul(widen(predicted), counts) },
        ] as const;
      })(online.weights);
      const { learned, norm } = optimiserStep(online, gradient, parts);

      const each = maximum(sum(counts, 0), 1);
      const all = maximum(sum(counts), 1);
      const average = div(sum(aux.error, 0), each);
      const { tensor: peak } = parts.peak;
      const counted = count.add(1);
      const period = maximum(parts.targetEvery.tensor.round().cast("i32"), 1);
      const followed = when(
        counted.mod(period).eq(0),
        (t) => nn.polyak(t, learned.weights, parts.tau.tensor),
        target,
      );
      return {
        state: { online: learned, target: followed, count: counted },
        metrics: {
          "loss/value": div(mul(sum(square(aux.error)), 0.5), all),
          "value/mean": div(sum(aux.value), all),
          ...(norm ? { "gradient/norm": norm } : {}),
        },
        errors: add(mul(max(aux.error, 0), peak), mul(average, sub(1, peak))),
      };
    },
  };
}

/** The best allowed action of each step, [time × rows], of values [time, rows, actions]. */
function flatBest(values: Tensor, mask?: Tensor): Tensor {
  const flat = (t: Tensor) => t.reshape([-1, t.shape[2]]);
  return bestAllowed(flat(stopGradient(values)), mask && flat(mask));
}
