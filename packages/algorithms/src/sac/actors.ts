import type { Discrete, EnvSpec } from "@reins/core";
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
import type { SoftActor } from "./soft-actor.ts";

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
        softValue: (q) => sub(q, broadcastAtoms(mul(alpha, logProb), q)),
      };
    },
    taken: (action) => ({ action: actions.inner(action), of: (values) => values }),
  };
}

/** A number per row, broadcast against values with atoms. */
const broadcastAtoms = (t: Tensor, values: Tensor): Tensor => (values.rank > t.rank ? expandDims(t, -1) : t);

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
      return { entropy, softValue: (q) => add(sum(mul(probs, q), -1), mul(alpha, entropy)) };
    },
    taken: (action) => ({ of: (values) => sum(mul(values, oneHot(sub(action, start), n)), -1) }),
  };
}
