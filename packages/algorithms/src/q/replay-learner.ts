import { type Learner, type TrainState, when } from "@reins/core";
import { copyOf } from "@reins/core/forms";
import { initTrainState, optimiserStep } from "@reins/core/loops";
import { type TransitionColumns, transitions } from "@reins/core/replay";
import type { LiveValue } from "@reins/core/settings";
import * as nn from "@reins/nn";
import { add, maximum, random, scalar, type Tensor, type Tree, valueAndGradient } from "@reins/tensor";
import { ofAction, type QBootstrap } from "./bootstrap.ts";
import { fractionsFor } from "./fractions.ts";
import type { Values } from "./greedy.ts";
import { joined, type ObservationViews } from "./observation-views.ts";
import type { Comparison, Use, ValueForm } from "./value-form.ts";

/** Online and target network, and the number of updates. */
export type ReplayState = { online: TrainState; target: Tree; count: Tensor };

/** Settings of {@link replayLearner}. */
export interface ReplayLearnerParts {
  init(key: Tensor): Tree;
  readonly form: ValueForm;
  /** A network's outputs for all actions, for one use. */
  valuesFor(use: Use): Values;
  readonly bootstrap: QBootstrap;
  /** Replaces the value form's own loss. */
  readonly compare?: Comparison;
  /** Number of the first action. */
  readonly start: number;
  readonly optimiser: nn.Optimiser;
  readonly learningRate: LiveValue;
  readonly clipNorm: LiveValue;
  readonly tau: LiveValue;
  readonly targetEvery: LiveValue;
  /** An auxiliary loss on the same weights. */
  readonly beside?: AuxiliaryLoss;
  /** Several views of each observation, and how their gradients are combined. */
  readonly views?: ObservationViews;
  /** Sample weights, computed from the network's features. */
  readonly weigh?: (weights: Tree, batch: TransitionColumns, key: Tensor) => Tensor;
}

/** The auxiliary loss: one number. */
export type AuxiliaryLoss = (
  weights: Tree,
  seen: { readonly target: Tree; readonly batch: TransitionColumns; readonly key: Tensor },
) => Tensor;

/** Q-learning from a replay buffer with a target network, for any value form and any bootstrap. */
export function replayLearner(parts: ReplayLearnerParts): Learner<ReplayState, TransitionColumns> {
  const { form, valuesFor, bootstrap, compare, optimiser, views } = parts;
  return {
    reads: transitions,
    init(key) {
      const online = parts.init(key);
      const target = copyOf(online);
      return { online: initTrainState(online, optimiser), target, count: scalar(0, "i32") };
    },
    acting: (state) => state.online.weights,
    update({ online, target, count }, batch, { key, weight }) {
      const { observation, reward, discount, next, mask, nextMask } = batch;
      const [k1, k2, k3] = random.splitKey(key, 3);
      const action = (batch.action as Tensor).sub(parts.start);
      const nextOutputs = valuesFor("target")(target, next, k1);
      const value = (by: "online" | "target", of: "state" | "next") => {
        const seen = of === "state" ? observation : next;
        return form.mean(
          by === "online"
            ? valuesFor("choice")(online.weights, seen, k2)
            : valuesFor("choice")(target, seen, k1),
        );
      };
      const { next: bootstrapped, bonus } = bootstrap({
        targets: nextOutputs,
        value,
        action,
        mask,
        nextMask,
      });
      const rewarded = bonus ? add(reward, bonus) : reward;

      const counts = parts.weigh ? parts.weigh(online.weights, batch, key) : weight;
      const slope = valueAndGradient((w: Tree, seen: Tree) => {
        const outputs = () => valuesFor("prediction")(w, seen, k3, k3);
        const predicted = ofAction(outputs(), action);
        const drawn =
          form.fractions && fractionsFor("prediction", predicted.shape[1], predicted.shape[0], k3);
        const { loss, error } = compare
          ? compare({
              online: { state: outputs, next: () => valuesFor("choice")(w, next, k2) },
              target: { state: () => valuesFor("choice")(target, observation, k1), next: () => nextOutputs },
              action,
              reward,
              discount,
              nextMask,
            })
          : form.compare(predicted, {
              next: bootstrapped,
              reward: rewarded,
              discount,
              ...(drawn ? { fractions: drawn } : {}),
            });
        const lost = (counts ? loss.mul(counts) : loss).mean();
        return [
          parts.beside ? lost.add(parts.beside(w, { target, batch, key })) : lost,
          { loss, error, value: form.mean(predicted) },
        ] as const;
      });
      const { gradient, aux } = views
        ? joined(views, (augment, i) =>
            slope(online.weights, augment(observation, random.foldKey(k3, i + 1))),
          )
        : slope(online.weights, observation);
      const { learned, norm } = optimiserStep(online, gradient, parts);

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
          "loss/value": aux.loss.mean(),
          "value/mean": aux.value.mean(),
          ...(norm ? { "gradient/norm": norm } : {}),
        },
        errors: aux.error,
      };
    },
  };
}
