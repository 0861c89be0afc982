import type { TrainState } from "@reins/core";
import { initTrainState, optimiserStep } from "@reins/core/loops";
import type { TransitionColumns } from "@reins/core/replay";
import type { LiveValue } from "@reins/core/settings";
import * as nn from "@reins/nn";
import { add, mul, random, type Tensor, type Tree, treeMap } from "@reins/tensor";
import { type Critics, criticError, lowest, squaredError } from "../q/critics.ts";
import { broadcastAtoms, type SampledActions, type Taken } from "./actors.ts";

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
  readonly ahead: SampledActions;
  readonly key: Tensor;
}

/** The critics of a soft actor-critic. */
export interface CriticSet {
  init(key: Tensor): CriticState;
  /** One update towards reward plus discounted soft value of the next state. */
  learn(
    state: CriticState,
    criticBatch: CriticBatch,
  ): { readonly state: CriticState; readonly metrics: { readonly [name: string]: Tensor } };
  /** Actor objective: the value of the actor's actions, [rows], or [rows, choices]. */
  q(state: CriticState, observation: Tree, action: Tensor | undefined, key: Tensor): Tensor;
}

/** How the estimates of several critics are aggregated; the first axis holds the members. */
export interface Aggregation {
  /** Value of the next state: [members, rows, …] to [rows, …]. */
  next(values: Tensor, key: Tensor): Tensor;
  /** Actor objective, from the same values. */
  actorObjective(values: Tensor): Tensor;
  /** Loss of values against their target, [members, rows]. */
  error(values: Tensor, target: Tensor): Tensor;
}

/** The minimum, for TD target and actor objective (Haarnoja et al., 2018). */
export const pessimistic: Aggregation = { next: lowest, actorObjective: lowest, error: squaredError };

/** Settings of critics with target networks. */
export interface TargetCriticOptions {
  readonly critics: Critics;
  readonly aggregation?: Aggregation;
  readonly optimiser?: nn.Optimiser;
  readonly criticRate: LiveValue;
  /** Polyak coefficient of the target networks. */
  readonly tau: LiveValue;
  /** Whether random layers stay active outside training (Hiraoka et al., 2022). */
  readonly alwaysRandom?: boolean;
}

/** r + γ v, for values with or without atoms. */
export const tdTarget = ({ reward, discount }: TransitionColumns, value: Tensor): Tensor =>
  add(broadcastAtoms(reward, value), mul(broadcastAtoms(discount, value), value));

/** Critics trained towards polyak-averaged target critics. */
export function targetCritics({
  critics,
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
      return { critics: initTrainState(weights, optimiser), target: treeMap((t) => t.add(0), weights) };
    },
    learn({ critics: q, target }, { batch, taken, ahead, key }) {
      const { observation, next } = batch;
      const [choose, drop] = [random.foldKey(key, 1), random.foldKey(key, 2)];
      const following = critics.values(target, next, ahead.action, keyFor(drop));
      // y = r + γ (Q(s', a') - α log π(a'|s')), with aggregated Q.
      const y = tdTarget(batch, ahead.soft(aggregation.next(following, choose)));
      const valuesOf = (w: Tree) => taken.of(critics.values(w, observation, taken.action, key));
      const { gradient, metrics } = criticError(q.weights, valuesOf, y, aggregation.error);
      const { learned } = optimiserStep(q, gradient, { optimiser, learningRate: criticRate });
      return { state: { critics: learned, target: nn.polyak(target, learned.weights, tau.tensor) }, metrics };
    },
    q: ({ critics: q }, observation, action, key) =>
      aggregation.actorObjective(critics.values(q.weights, observation, action, keyFor(key))),
  };
}
