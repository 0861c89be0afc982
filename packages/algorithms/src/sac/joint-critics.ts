import { type EnvSpec, fail } from "@reins/core";
import { initTrainState, optimiserStep } from "@reins/core/loops";
import type { LiveValue } from "@reins/core/settings";
import * as nn from "@reins/nn";
import {
  concat,
  mean,
  reshape,
  slice,
  stopGradient,
  sum,
  type Tensor,
  type Tree,
  treeMap,
  valueAndGradient,
} from "@reins/tensor";
import { criticInputs, type NetworkOptions } from "../q/critic-inputs.ts";
import { lowest, squaredError } from "../q/critics.ts";
import type { CriticSet, CriticTarget } from "./critics.ts";

/** Settings of critics without target networks. */
export interface JointOptions extends NetworkOptions {
  /** Size of an action. */
  readonly actions: number;
  readonly criticTarget: CriticTarget;
  readonly optimiser: nn.Optimiser;
  readonly criticRate: LiveValue;
  readonly momentum: number;
  readonly renormAfter: number;
}

/** Number of critics. */
const members = 2;

/**
 * Critics that evaluate both states of a transition, with the taken and the next action, in one batch (Bhatt et
 * al., 2024): batch norms then use the same statistics for both, and a critic can be its own target.
 */
export function jointCritics(spec: EnvSpec, o: JointOptions): CriticSet {
  const inputs = criticInputs(spec, o, { members, actions: o.actions });
  const critics = nn.statefulEnsemble(normalisedLayers([inputs.width, ...inputs.hidden, 1], o), {
    members,
    separateInputs: inputs.separate,
  });
  const first = (key: Tensor): Tree => critics.init(key);
  const flat = (values: Tensor) => reshape(values, values.shape.slice(0, 2));
  return {
    init: (key) => ({
      critics: initTrainState(inputs.init(key, first), o.optimiser),
      statistics: critics.start(),
    }),
    learn({ critics: online, statistics }, { batch, taken, nextActions, key }) {
      const { observation, next } = batch;
      const states = treeMap((now, later) => concat([now, later], 0), observation, next);
      if (!taken.action || !nextActions.action)
        return fail("crossq", "its critics support continuous actions only.");
      const actions = concat([taken.action, nextActions.action], 0);
      const rows = nextActions.entropy.shape[0];
      const { gradient, aux } = valueAndGradient((w: Tree) => {
        const own = inputs.parts(w);
        const joined = inputs.join(own.body, states, actions, key);
        const seen = critics.learn(own.critics as Tree[], statistics as Tree[], joined);
        const values = flat(seen.output);
        const value = slice(values, [null, [0, rows]]);
        const nextValue = slice(values, [null, [rows, 2 * rows]]);
        // The critics being trained are their own target critics.
        const y = stopGradient(o.criticTarget(batch, nextActions, lowest(nextValue)));
        const loss = squaredError(value, y);
        const measured = { loss: mean(loss), value: mean(value), statistics: seen.statistics };
        return [mean(sum(loss, 0)), measured] as const;
      })(online.weights);
      const { learned } = optimiserStep(online, gradient, {
        optimiser: o.optimiser,
        learningRate: o.criticRate,
      });
      return {
        state: { critics: learned, statistics: aux.statistics },
        metrics: { "loss/value": aux.loss, "value/mean": aux.value },
      };
    },
    q({ critics: online, statistics }, observation, action) {
      const own = inputs.parts(online.weights);
      const joined = inputs.join(own.body, observation, action);
      return lowest(flat(critics.apply(own.critics as Tree[], statistics as Tree[], joined)));
    },
  };
}

/** A batch norm of the inputs, and after every relu. */
function normalisedLayers(
  widths: readonly number[],
  o: nn.BatchNormOptions,
): nn.StatefulLayer<Tree[], Tree[]> {
  const norm = (width: number) => nn.batchNorm(width, o);
  const hidden = widths
    .slice(1, -1)
    .flatMap((outputs, i) => [nn.linear({ inputs: widths[i], outputs }), "relu" as const, norm(outputs)]);
  const [inputs, outputs] = widths.slice(-2);
  return nn.statefulSequential(norm(widths[0]), ...hidden, nn.linear({ inputs, outputs }));
}
