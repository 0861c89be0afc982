import type { AlgorithmContext, Learner, ResolvedOptions, TrainState } from "@reins/core";
import { initTrainState, type OffPolicyParts, optimiserStep } from "@reins/core/loops";
import { replay, type TransitionColumns, transitions } from "@reins/core/replay";
import type { LiveValue } from "@reins/core/settings";
import * as nn from "@reins/nn";
import { random, real, scalar, type Tensor, type Tree, valueAndGradient } from "@reins/tensor";
import { withAugmentation } from "../images/augment.ts";
import type { augment, hindsight, replayed } from "../options.ts";
import { recordOf } from "../q/record.ts";
import type { CriticSet, CriticState } from "./critics.ts";
import { delayed } from "./delay.ts";
import type { SampledActions, SoftActor } from "./soft-actor.ts";
import { type TemperatureOptions, targetEntropyOf } from "./temperature.ts";

/** Options shared by all soft actor-critics. */
export type SoftOptions = TemperatureOptions &
  ResolvedOptions<ReturnType<typeof replayed>> &
  ResolvedOptions<typeof hindsight> &
  ResolvedOptions<typeof augment> & {
    readonly learningRate: LiveValue;
    readonly gamma: LiveValue;
    readonly policyEvery: number;
  };

/** The actor objective per row, minimised, from the critics' values of the actions. */
export type ActorObjective = (actions: SampledActions, q: Tensor) => Tensor;

/** Components of a soft actor-critic. */
export interface SoftMake {
  readonly actor: SoftActor;
  readonly criticSet: CriticSet;
  readonly actorObjective: ActorObjective;
  /** Optimiser of the actor; Adam by default. */
  readonly optimiser?: nn.Optimiser;
  /** Whether a delayed actor makes up for all updates that it missed, or makes one. */
  readonly catchUp?: boolean;
}

/** The parts of a soft actor-critic of this name; variants differ in their critics and networks. */
export function softParts(
  name: string,
  o: SoftOptions,
  context: AlgorithmContext,
  make: SoftMake,
): OffPolicyParts<SoftState> {
  return {
    ...o,
    name,
    policy: make.actor.policy,
    learner: withAugmentation(softLearner(o, context, make), o.augment),
    replay: replay({ capacity: o.capacity, record: recordOf(name, o, context) }),
  };
}

/** State of the actor's updates: the actor and the log temperature. */
type Soft = { readonly actor: TrainState; readonly logAlpha: TrainState<Tensor> };
/** Result of an actor update, with metrics when it is not part of a loop. */
type Turn = { soft: Soft; loss?: Tensor; entropy?: Tensor };
/** The whole learned state. */
export type SoftState = CriticState & { readonly soft: Soft; readonly count: Tensor };

function softLearner(
  o: SoftOptions,
  { spec }: AlgorithmContext,
  { actor, criticSet, actorObjective, optimiser = nn.adam(), catchUp = false }: SoftMake,
): Learner<SoftState, TransitionColumns> {
  const choices = spec.action.kind === "discrete" ? spec.action.n : undefined;
  const temperatureOptimiser = nn.adam();
  const alphaOf = ({ logAlpha }: Soft) => (o.automatic ? logAlpha.weights.exp() : o.temperature.tensor);

  /** One update of the actor and of the temperature. */
  const improveActor = (
    soft: Soft,
    criticState: CriticState,
    { observation, mask }: TransitionColumns,
    key: Tensor,
  ) => {
    const alpha = alphaOf(soft);
    const { gradient, value, aux } = valueAndGradient((w: Tree) => {
      const actions = actor.sample(w, { observation, mask, alpha, key, learn: key });
      const q = criticSet.q(criticState, observation, actions.action, key);
      return [actorObjective(actions, q).mean(), { entropy: actions.entropy.mean() }] as const;
    })(soft.actor.weights);
    const { learned } = optimiserStep(soft.actor, gradient, { optimiser, learningRate: o.learningRate });
    const measured = { loss: value, entropy: aux.entropy };
    if (!o.automatic) return { soft: { ...soft, actor: learned }, ...measured };
    // d/dlogα of α (H − H₀): too little entropy raises the temperature.
    const allowed = { choices, dimensions: actor.size, mask: mask as Tensor | undefined };
    const slope = alpha.mul(aux.entropy.sub(targetEntropyOf(o, allowed)));
    const temperature = { optimiser: temperatureOptimiser, learningRate: o.temperatureRate };
    const { learned: logAlpha } = optimiserStep(soft.logAlpha, slope, temperature);
    return { soft: { actor: learned, logAlpha }, ...measured };
  };

  return {
    reads: transitions,
    init(key) {
      const [a, b] = random.splitKey(key);
      const soft = {
        actor: initTrainState(actor.init(a), optimiser),
        logAlpha: initTrainState(scalar(real.log(o.temperature.value)), temperatureOptimiser),
      };
      return { soft, ...criticSet.init(b), count: scalar(0, "i32") };
    },
    acting: (state) => state.soft.actor.weights,
    update({ soft, count, ...criticState }, batch, { key }) {
      const [k1, k2] = random.splitKey(key);
      const { next, nextMask } = batch;
      const nextActions = actor.sample(soft.actor.weights, {
        observation: next,
        mask: nextMask,
        alpha: alphaOf(soft),
        key: k1,
      });
      const criticBatch = { batch, taken: actor.taken(batch.action as Tensor), nextActions, key: k1 };
      const { state: updatedCritics, metrics } = criticSet.learn(criticState, criticBatch);

      const counted = count.add(1);
      const turn = (s: Soft, k: Tensor) => improveActor(s, updatedCritics, batch, k);
      const delay = { every: o.policyEvery, turns: catchUp ? o.policyEvery : 1 };
      const improved: Turn =
        o.policyEvery === 1
          ? turn(soft, k2)
          : {
              soft: delayed(delay, { count: counted, state: soft, turn: (s, k) => turn(s, k).soft, key: k2 }),
            };
      return {
        state: { soft: improved.soft, ...updatedCritics, count: counted },
        metrics: {
          ...metrics,
          "policy/temperature": alphaOf(improved.soft),
          ...(improved.loss ? { "loss/policy": improved.loss } : {}),
          "policy/entropy": improved.entropy ?? nextActions.entropy.mean(),
        },
      };
    },
  };
}
