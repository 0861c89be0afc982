import { copyOf } from "@reins/core/forms";
import { type Auxiliary, type GridColumns, GridWindow, initTrainState, type Round } from "@reins/core/loops";
import { LiveValue } from "@reins/core/settings";
import * as nn from "@reins/nn";
import {
  add,
  cast,
  compile,
  floor,
  maximum,
  mul,
  or,
  random,
  reshape,
  scalar,
  sub,
  type Tensor,
  type Tree,
  take,
  treeMap,
  where,
} from "@reins/tensor";
import { bestNext } from "./bootstrap.ts";
import {
  type QuantileCriticOptions,
  type QuantileCriticWeights,
  quantileNetwork,
} from "./quantile-critic.ts";
import { type ReplayState, replayLearner } from "./replay-learner.ts";
import { implicitQuantiles, type Use } from "./value-form.ts";

/** How quantiles are learned alongside the on-policy rounds. */
export interface QuantileReplayOptions extends QuantileCriticOptions {
  readonly gamma: number;
  readonly learningRate: LiveValue;
  readonly clipNorm: LiveValue;
  /** Rounds in the replay buffer; 16 by default. More keeps older steps. */
  readonly rounds?: number;
  /** Minibatch size; 128 by default. */
  readonly batch?: number;
  /** Minibatches after each round; 8 by default. More learns faster and costs more. */
  readonly updates?: number;
  /** Polyak coefficient of the target network per update; 0.05 by default. */
  readonly tau?: number;
}

/**
 * Implicit quantiles (Dabney et al., 2018) of the greedy actions' returns, learned after each on-policy round from
 * a replay buffer of recent rounds. They inform a `quantileCritic`, whose weights are updated in place.
 */
export function quantileReplay(o: QuantileReplayOptions, round: Round): Auxiliary {
  const { rounds = 16, batch = 128, updates = 8, quantiles: count = 8, tau = 0.05 } = o;
  const { parts, rollout, learned, learnKey } = round;
  const network = quantileNetwork(rollout.env.spec, o);
  const counts = { prediction: count, target: count, choice: count };
  const learner = replayLearner({
    init: network.init,
    form: implicitQuantiles(counts),
    valuesFor: (use: Use) => network.valuesFor(use, counts[use]),
    bootstrap: bestNext(false),
    start: network.space.start,
    optimiser: nn.adam({ epsilon: 1e-5 }),
    learningRate: o.learningRate,
    clipNorm: o.clipNorm,
    tau: new LiveValue("tau", tau),
    targetEvery: new LiveValue("targetEvery", 1),
  });
  const { quantiles } = learned.weights as QuantileCriticWeights;
  const state: ReplayState = {
    online: initTrainState(quantiles, nn.adam({ epsilon: 1e-5 })),
    target: copyOf(quantiles),
    count: scalar(0, "i32"),
  };
  const window = new GridWindow(rollout.columns, rounds);
  /** Recorded steps. */
  const filled = scalar(0, "i32");
  const update = compile(
    (given: ReplayState, seen: GridColumns, played: Tensor, key: Tensor) => {
      const own = random.foldKey(key, given.count);
      const [pickKey, learnKey] = random.splitKey(own, 2);
      const { columns, weight } = drawn(seen, played, batch, pickKey, o.gamma);
      const { state, metrics } = learner.update(given, columns, { key: learnKey, weight });
      return { state, metrics: { "loss/quantiles": metrics["loss/value"] } };
    },
    { name: `${parts.name} quantiles`, donate: [0], host: true },
  ).bind(state, window.columns, filled, random.foldKey(learnKey, "qun1"));
  const { metrics } = update.result;
  return {
    metrics,
    parts: {
      quantiles: {
        window,
        filled,
        optimiser: state.online.optimiser,
        target: state.target,
        count: state.count,
        metrics,
      },
    },
    learn() {
      window.push();
      filled.data[0] = Math.min(filled.data[0] + parts.steps, rounds * parts.steps);
      for (let i = 0; i < updates; i++) update.run();
    },
  };
}

/**
 * Transitions of a window, of equal shape. The last step and truncated steps have no known next state and are
 * masked.
 */
function drawn(seen: GridColumns, filled: Tensor, count: number, key: Tensor, gamma: number) {
  const [time, rows] = seen.reward.shape;
  const [a, b] = random.splitKey(key, 2);
  const known = maximum(sub(filled, 1), 1);
  const back = cast(floor(mul(random.uniform(a, [count]), cast(known, "f32"))), "i32");
  const moment = sub(time - 2, back);
  const row = cast(floor(mul(random.uniform(b, [count]), rows)), "i32");
  const at = add(mul(moment, rows), row);
  const flat = (t: Tensor) => reshape(t, [time * rows, ...t.shape.slice(2)]);
  const of = (t: Tensor, where: Tensor) => take(flat(t), where, 0);
  const { observation, action, reward, terminated, truncated } = seen;
  const cut = or(of(truncated, at), of(terminated, at));
  const columns = {
    observation: treeMap((t: Tensor) => of(t, at), observation) as Tree,
    action: of(action as Tensor, at),
    reward: of(reward, at),
    discount: where(cut, 0, gamma),
    next: treeMap((t: Tensor) => of(t, add(at, rows)), observation) as Tree,
  };
  const lost = sub(cast(of(truncated, at), "f32"), cast(of(terminated, at), "f32"));
  return { columns, weight: sub(1, maximum(lost, 0)) };
}
