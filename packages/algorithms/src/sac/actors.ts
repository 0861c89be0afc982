import { type Acting, bodyFor, type Discrete, type EnvSpec, type Live, onBody } from "@reins/core";
import * as nn from "@reins/nn";
import { add, exp, mul, oneHot, slice, sub, sum, type Tensor, type Tree, tanh } from "@reins/tensor";
import { lower, type NetworkOptions, network, scaled, type TwinCritics } from "../q/critics.ts";
import { carried, noiseState } from "../q/noise.ts";

/** What the algorithm needs to know of a way to act. */
export interface SoftActor {
  /** Dimensions of a continuous action. */
  readonly size: number;
  readonly policy: Acting;
  init(key: Tensor): Tree;
  /** The soft value of states: what the lower critic expects of the actor's actions, and alpha times their entropy. Differentiable. */
  soft(weights: Tree, outlook: Outlook): { value: Tensor; entropy: Tensor };
  /** What both critics say of the actions that were taken, [2, rows]. */
  taken(critics: TwinCritics, criticWeights: Tree, observation: Tree, action: Tensor, learn: Tensor): Tensor;
}

/** States, and the critics that say what actions are worth there. */
export interface Outlook {
  readonly critics: TwinCritics;
  /** The critics' weights. */
  readonly weights: Tree;
  readonly observation: Tree;
  readonly mask?: Tree;
  /** What entropy is worth. */
  readonly alpha: Tensor;
  readonly key: Tensor;
  /** Where the actor learns: what its body draws from. */
  readonly learn?: Tensor;
}

interface ActorOptions extends NetworkOptions {
  readonly correlation: Live;
}

/** A network of the actor's own, from observations to so many numbers. */
function actorNetwork(spec: EnvSpec, o: ActorOptions, outputs: number) {
  const body = bodyFor(spec.observation, o);
  return onBody(body, network([body.features, ...o.hidden, outputs]));
}

/** A normal distribution squashed into the bounds; its action is a differentiable function of the noise. */
export function squashedActor(spec: EnvSpec, o: ActorOptions): SoftActor {
  const actions = scaled("sac", spec);
  const n = actions.size;
  const actor = actorNetwork(spec, o, 2 * n);
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
    soft(weights, { critics, weights: q, observation, alpha, key, learn }) {
      const { action, logProb } = distribution(weights, observation, learn).sampleWithLogProb(key);
      const value = sub(lower(critics.values(q, observation, action)), mul(alpha, logProb));
      return { value, entropy: logProb.neg() };
    },
    taken: (critics, w, observation, action, learn) =>
      critics.values(w, observation, actions.inner(action), learn),
  };
}

/** A probability for each choice: expectations over actions are exact sums. */
export function categoricalActor(spec: EnvSpec, o: ActorOptions): SoftActor {
  const { n, start } = spec.action as Discrete;
  const actor = actorNetwork(spec, o, n);
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
    soft(weights, { critics, weights: q, observation, mask, alpha, learn }) {
      const d = distribution(weights, observation, mask, learn);
      const probs = exp(d.logProbs);
      const entropy = d.entropy();
      const value = add(sum(mul(probs, lower(critics.values(q, observation))), -1), mul(alpha, entropy));
      return { value, entropy };
    },
    taken(critics, w, observation, action, learn) {
      const all = critics.values(w, observation, undefined, learn);
      return sum(mul(all, oneHot(sub(action, start), n)), -1);
    },
  };
}
