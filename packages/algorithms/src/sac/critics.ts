import type { TrainState } from "@reins/core";
import { copyOf } from "@reins/core/forms";
import { initTrainState, optimiserStep } from "@reins/core/loops";
import type { TransitionColumns } from "@reins/core/replay";
import type { LiveValue } from "@reins/core/settings";
import * as nn from "@reins/nn";
import { random, type Tensor, type Tree } from "@reins/tensor";
import { type Critics, criticError, lowest, squaredError } from "../q/critics.ts";
import type { SampledActions, Taken } from "./soft-actor.ts";

/** Critic state: trained weights, and target weights or running statistics where a method has them. */
export type CriticState = {
  readonly critics: TrainState;
  /** Weights of the target critics. */
  readonly target?: Tree;
  /** Running statistics of the critics' batch norms. */
  readonly statistics?: Tree;
};

/** Inputs of a critic update. */
export interface CriticBatch {
  readonly batch: TransitionColumns;
  /** The actions of the batch. */
  readonly taken: Taken;
  /** The actor's actions in the next states. */
  readonly nextActions: SampledActions;
  readonly key: Tensor;
}

/** The critic target y, from the aggregated values of the next actions. */
export type CriticTarget = (batch: TransitionColumns, nextActions: SampledActions, q: Tensor) => Tensor;

/** The critics of a soft actor-critic. */
export interface CriticSet {
  init(key: Tensor): CriticState;
  /** One update towards the critic target. */
  learn(
    state: CriticState,
    criticBatch: CriticBatch,
  ): { readonly state: CriticState; readonly metrics: { readonly [name: string]: Tensor } };
  /** Q(s, a) in the actor objective, [rows], or [rows, choices]. */
  q(state: CriticState, observation: Tree, action: Tensor | undefined, key: Tensor): Tensor;
}

/** How the estimates of several critics are aggregated; the first axis holds the members. */
export interface Aggregation {
  /** Q'(s', a') in the critic target: [members, rows, …] to [rows, …]. */
  next(values: Tensor, key: Tensor): Tensor;
  /** Q(s, a) in the actor objective, from values of the same shape. */
  actorObjective(values: Tensor): Tensor;
  /** Loss of values against their target, [members, rows]. */
  error(values: Tensor, target: Tensor): Tensor;
}

/** The minimum, for critic target and actor objective (Haarnoja et al., 2018). */
export const pessimistic: Aggregation = { next: lowest, actorObjective: lowest, error: squaredError };

/** Settings of critics with target networks. */
export interface TargetCriticOptions {
  readonly critics: Critics;
  readonly criticTarget: CriticTarget;
  readonly aggregation?: Aggregation;
  readonly optimiser?: nn.Optimiser;
  readonly criticRate: LiveValue;
  /** Polyak coefficient of the target networks. */
  readonly tau: LiveValue;
  /** Whether random layers stay active outside training (Hiraoka et al., 2022). */
  readonly alwaysRandom?: boolean;
}

/** Critics trained towards polyak-averaged target critics. */
export function targetCritics({
  critics,
  criticTarget,
  aggregation = pessimistic,
  optimiser = nn.adam(),
  criticRate,
  tau,
  alwaysRandom = false,
}: TargetCriticOptions): CriticSet {
  const keyFor = (key: Tensor) => (alwaysRandom ? key : undefined);
  return {
    init(key) {
      const weights = critics.init(key);
      return { critics: initTrainState(weights, optimiser), target: copyOf(weights) };
    },
    learn({ critics: online, target }, { batch, taken, nextActions, key }) {
      const { observation, next } = batch;
      const [choose, drop] = [random.foldKey(key, 1), random.foldKey(key, 2)];
      const nextValues = critics.values(target, next, nextActions.action, keyFor(drop));
      const y = criticTarget(batch, nextActions, aggregation.next(nextValues, choose));
      const valuesOf = (w: Tree) => taken.of(critics.values(w, observation, taken.action, key));
      const { gradient, metrics } = criticError(online.weights, {
        valuesOf,
        target: y,
        lossOf: aggregation.error,
      });
      const { learned } = optimiserStep(online, gradient, { optimiser, learningRate: criticRate });
      return { state: { critics: learned, target: nn.polyak(target, learned.weights, tau.tensor) }, metrics };
    },
    q: ({ critics: online }, observation, action, key) =>
      aggregation.actorObjective(critics.values(online.weights, observation, action, keyFor(key))),
  };
}
