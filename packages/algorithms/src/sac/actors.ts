import { type Acting, bodyFor, type Discrete, type EnvSpec, type Live, onBody } from "@reins/core";
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
import type { NetworkOptions } from "../q/critic-inputs.ts";
import { network } from "../q/critics.ts";
import { carried, noiseState } from "../q/noise.ts";
import { scaled } from "../q/scaled.ts";

/** What the algorithm needs to know of a way to act. */
export interface SoftActor {
  /** Dimensions of a continuous action. */
  readonly size: number;
  readonly policy: Acting;
  init(key: Tensor): Tree;
  /** What it would do in states. Differentiable. */
  draw(weights: Tree, outlook: Outlook): Drawn;
  /** Actions that were taken, as critics see them. */
  taken(action: Tensor): Taken;
}

/** States, and what entropy is worth there. */
export interface Outlook {
  readonly observation: Tree;
  readonly mask?: Tree;
  /** What entropy is worth. */
  readonly alpha: Tensor;
  readonly key: Tensor;
  /** Where the actor learns: what its body draws from. */
  readonly learn?: Tensor;
}

/** What an actor does in states. */
export interface Drawn {
  /** Continuous actions between -1 and 1; absent where critics judge all choices. */
  readonly action?: Tensor;
  readonly entropy: Tensor;
  /** The soft value of the states, [rows, …], from what critics say of these actions: it counts alpha times the entropy too. */
  soft(values: Tensor): Tensor;
}

/** Actions as critics see them. */
export interface Taken {
  /** Continuous actions between -1 and 1; absent where critics judge all choices. */
  readonly action?: Tensor;
  /** The values of what was taken, among all that critics give. */
  of(values: Tensor): Tensor;
}

/** What actors are made of. */
export interface ActorOptions extends NetworkOptions {
  readonly correlation: Live;
}

/** The layers of a network by their widths, from inputs to outputs. */
export type Layers = (widths: readonly number[]) => nn.Layer<Tree>;

/** A network of the actor's own, from observations to so many numbers. */
function actorNetwork(spec: EnvSpec, o: ActorOptions, outputs: number, layers: Layers) {
  const body = bodyFor(spec.observation, o);
  return onBody(body, layers([body.features, ...o.hidden, outputs]));
}

/** A normal distribution squashed into the bounds; its action is a differentiable function of the noise. */
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
    // The logarithm of the spread between -5 and 2, by tanh: a clamp would stop its gradient there.
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
    draw(weights, { observation, alpha, key, learn }) {
      const { action, logProb } = distribution(weights, observation, learn).sampleWithLogProb(key);
      return {
        action,
        entropy: logProb.neg(),
        soft: (values) => sub(values, besideAtoms(mul(alpha, logProb), values)),
      };
    },
    taken: (action) => ({ action: actions.inner(action), of: (values) => values }),
  };
}

/** A number for each row, in the form of values that may have several numbers for each. */
export const besideAtoms = (t: Tensor, values: Tensor): Tensor =>
  values.rank > t.rank ? expandDims(t, -1) : t;

/** A probability for each choice: expectations over actions are exact sums. */
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
    draw(weights, { observation, mask, alpha, learn }) {
      const d = distribution(weights, observation, mask, learn);
      const probs = exp(d.logProbs);
      const entropy = d.entropy();
      return { entropy, soft: (values) => add(sum(mul(probs, values), -1), mul(alpha, entropy)) };
    },
    taken: (action) => ({ of: (values) => sum(mul(values, oneHot(sub(action, start), n)), -1) }),
  };
}
