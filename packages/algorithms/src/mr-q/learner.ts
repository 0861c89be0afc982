import type { Learner } from "@reins/core";
import { copyOf } from "@reins/core/forms";
import { initTrainState, optimiserStep } from "@reins/core/loops";
import * as nn from "@reins/nn";
import {
  abs,
  add,
  eq,
  huber,
  max,
  maximum,
  mean,
  mod,
  mul,
  neg,
  random,
  scalar,
  square,
  sub,
  type Tensor,
  type Tree,
  valueAndGradient,
  where,
} from "@reins/tensor";
import { allowed } from "../q/greedy.ts";
import { criticTarget, twoValues } from "./critic-target.ts";
import type { ModelNetworks, ModelOptions } from "./parts.ts";
import { type ModelState, moved } from "./target-state.ts";
import { stepOf, unrollLoss, type WindowColumns } from "./unroll.ts";

/** Required columns. */
const reads = ["observation", "action", "reward", "discount", "next", "valid"];
/** Maximum gradient norm of the critics. */
const clipNorm = 20;
/** Weight of the penalty on pre-tanh actions; saturated actions get no gradient. */
const modesty = 1e-5;

/** TD3 on a model's features: model, critics and actor are each updated from a minibatch of windows. */
export function modelLearner(
  o: ModelOptions,
  { actions, model, actor, values }: ModelNetworks,
): Learner<ModelState, WindowColumns> {
  const optimiser = nn.adamW({ weightDecay: 1e-4 });
  const bins = nn.symexpBins(o.bins);
  const lossWeights = {
    dynamics: o.dynamicsWeight.tensor,
    reward: o.rewardWeight.tensor,
    done: o.doneWeight.tensor,
  };
  const networks = { actions, model, actor, values };
  const judge = (w: Tree, pair: Tensor) => twoValues(networks, w, pair);
  return {
    reads,
    init(key) {
      const [a, b, c] = random.splitKey(key, 3);
      const first = { model: model.init(a), actor: actor.init(b), values: values.init(c) };
      return {
        model: initTrainState(first.model, optimiser),
        actor: initTrainState(first.actor, optimiser),
        values: initTrainState(first.values, optimiser),
        held: copyOf(first.model),
        target: { model: copyOf(first.model), actor: copyOf(first.actor), values: copyOf(first.values) },
        scale: scalar(1),
        targetScale: scalar(0),
        paid: scalar(0),
        count: scalar(0, "i32"),
      };
    },
    acting: (state) => ({ held: state.held, actor: state.actor.weights }),
    update(state, batch, { key }) {
      const size = mean(abs(stepOf(batch.reward, 0)));
      const fixed = moved(state, size, o.targetEvery);
      const inner = actions.inner(batch.action);

      const seen = model.state(fixed.held, batch.next, 2);
      const modelled = valueAndGradient((w: Tree) =>
        unrollLoss(model, w, { windows: { ...batch, inner }, reached: seen, bins, lossWeights }),
      )(state.model.weights);
      const learnedModel = optimiserStep(state.model, modelled.gradient, {
        optimiser,
        learningRate: o.encoderRate,
      }).learned;

      const tdTarget = criticTarget(o, networks, fixed, { windows: batch, key });
      const embedded = model.state(fixed.held, stepOf(batch.observation, 0), 1);
      const taken = model.pair(fixed.held, embedded, stepOf(inner, 0));
      const valued = valueAndGradient((w: Tree) => {
        const value = judge(w, taken);
        const error = sub(value, tdTarget);
        return [mean(huber(error)), { value: mean(value), error: max(abs(error), 0) }] as const;
      })(state.values.weights);
      const pace = { optimiser, learningRate: o.criticRate, clipNorm };
      const learnedValues = optimiserStep(state.values, valued.gradient, pace).learned;

      const mask = batch.mask && stepOf(batch.mask, 0);
      const climbed = valueAndGradient((w: Tree) => {
        const raw = actor.apply(w, embedded);
        // Values of masked actions are never learned: the actor must not climb towards them.
        const soft = actions.soft(allowed(raw, mask), key, 1);
        const value = judge(learnedValues.weights, model.pair(fixed.held, embedded, soft));
        return add(neg(mean(value)), mul(mean(square(raw)), modesty));
      })(state.actor.weights);
      const { learned } = optimiserStep(state.actor, climbed.gradient, {
        optimiser,
        learningRate: o.learningRate,
      });

      const since = where(eq(mod(state.count, o.targetEvery), 0), 0, state.paid);
      return {
        state: {
          ...fixed,
          model: learnedModel,
          actor: learned,
          values: learnedValues,
          paid: add(since, size),
          count: add(state.count, 1),
        },
        metrics: {
          "loss/model": modelled.value,
          "loss/value": valued.value,
          "value/mean": mul(valued.aux.value, fixed.scale),
          "loss/policy": climbed.value,
        },
        // Huber's loss treats errors below 1 alike, and so do the priorities (Fujimoto et al., 2020).
        errors: maximum(valued.aux.error, 1),
      };
    },
  };
}
