import type { ActingPolicy, Discrete, EnvSpec } from "@reins/core";
import { bodyFor, bodyLayer } from "@reins/core/policies";
import type { LiveValue } from "@reins/core/settings";
import * as nn from "@reins/nn";
import {
  add,
  exp,
  expandDims,
  mul,
  oneHot,
  slice,
  sub,
  sum,
  type Tensor,
  type Tree,
  tanh,
} from "@reins/tensor";
import { scaled } from "../q/action-scaling.ts";
import type { NetworkOptions } from "../q/critic-inputs.ts";
import { network } from "../q/critics.ts";
import { carried, noiseState } from "../q/noise.ts";

/** The interface of an actor. */
export interface SoftActor {
  /** Dimensions of a continuous action. */
  readonly size: number;
  readonly policy: ActingPolicy;
  init(key: Tensor): Tree;
  /** Samples actions in states. Differentiable. */
  sample(weights: Tree, outlook: Outlook): SampledActions;
  /** Recorded actions, as critics see them. */
  taken(action: Tensor): Taken;
}

/** States, and the entropy temperature. */
export interface Outlook {
  readonly observation: Tree;
  readonly mask?: Tree;
  /** Entropy temperature. */
  readonly alpha: Tensor;
  readonly key: Tensor;
  /** Key of random layers, in training. */
  readonly learn?: Tensor;
}

/** Actions sampled by an actor. */
export interface SampledActions {
  /** Continuous actions between -1 and 1; absent where critics evaluate all choices. */
  readonly action?: Tensor;
  readonly entropy: Tensor;
  /**
   * The soft value of the states, [rows, …], from the critics' values of these actions: it includes alpha times
   * the entropy.
   */
  soft(values: Tensor): Tensor;
}

/** Recorded actions, as critics see them. */
export interface Taken {
  /** Continuous actions between -1 and 1; absent where critics evaluate all choices. */
  readonly action?: Tensor;
  /** The values of the taken actions among all outputs of the critics. */
  of(values: Tensor): Tensor;
}

/** Settings of actors. */
export interface ActorOptions extends NetworkOptions {
  readonly correlation: LiveValue;
}

/** The layers of a network by their widths, from inputs to outputs. */
export type Layers = (widths: readonly number[]) => nn.Layer<Tree>;

/** A custom network of the actor, from observations to this many outputs. */
function actorNetwork(spec: EnvSpec, o: ActorOptions, outputs: number, layers: Layers) {
  const body = bodyFor(spec.observation, o);
  return bodyLayer(body, layers([body.features, ...o.hidden, outputs]));
}

/** A tanh-squashed normal distribution; its action is a differentiable function of the noise. */
export function squashedActor(
  name: string,
  spec: EnvSpec,
  o: ActorOptions,
  layers: Layers = network,
): SoftActor {
  const actions = scaled(name, spec);
  const n = actions.size;
  const actor = actorNetwork(spec, o, 2 * n, layers);
  const distribution = (weights: Tree, observation: Tree, learn?: Tensor) => {
    const out = actor.apply(weights, observation, { learn });
    // The log standard deviation lies between -5 and 2, by tanh: a clamp would stop its gradient there.
    const logStd = add(mul(tanh(slice(out, [null, [n, 2 * n]])), 3.5), -1.5);
    return nn.distributions.tanhNormal({ mean: slice(out, [null, [0, n]]), logStd });
  };
  return {
    size: n,
    init: actor.init,
    policy: {
      init: actor.init,
      start: (rows) => noiseState(rows, n),
      act(weights, { observation, first }, state, key) {
        const d = distribution(weights, observation);
        if (!key) return { action: actions.execute(d.mode()), state };
        const noise = carried(state, o.correlation, first, key);
        const raw = add(d.base.mode(), mul(exp(d.base.logStd), noise));
        return { action: actions.execute(tanh(raw)), state: { noise } };
      },
    },
    sample(weights, { observation, alpha, key, learn }) {
      const { action, logProb } = distribution(weights, observation, learn).sampleWithLogProb(key);
      return {
        action,
        entropy: logProb.neg(),
        soft: (values) => sub(values, broadcastAtoms(mul(alpha, logProb), values)),
      };
    },
    taken: (action) => ({ action: actions.inner(action), of: (values) => values }),
  };
}

/** A number per row, broadcast against values with atoms. */
export const broadcastAtoms = (t: Tensor, values: Tensor): Tensor =>
  values.rank > t.rank ? expandDims(t, -1) : t;

/** A categorical distribution: expectations over actions are exact sums. */
export function categoricalActor(spec: EnvSpec, o: ActorOptions): SoftActor {
  const { n, start } = spec.action as Discrete;
  const actor = actorNetwork(spec, o, n, network);
  const distribution = (weights: Tree, observation: Tree, mask?: Tree, learn?: Tensor) =>
    nn.distributions.categorical({
      logits: actor.apply(weights, observation, { learn }),
      mask: mask as Tensor | undefined,
    });
  return {
    size: 1,
    init: actor.init,
    policy: {
      init: actor.init,
      act(weights, { observation, mask }, state, key) {
        const d = distribution(weights, observation, mask);
        return { action: add(key ? d.sample(key) : d.mode(), start), state };
      },
    },
    sample(weights, { observation, mask, alpha, learn }) {
      const d = distribution(weights, observation, mask, learn);
      const probs = exp(d.logProbs);
      const entropy = d.entropy();
      return { entropy, soft: (values) => add(sum(mul(probs, values), -1), mul(alpha, entropy)) };
    },
    taken: (action) => ({ of: (values) => sum(mul(values, oneHot(sub(action, start), n)), -1) }),
  };
}
