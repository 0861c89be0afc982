import type { ActingPolicy, Discrete, EnvSpec } from "@reins/core";
import type { LiveValue } from "@reins/core/settings";
import {
  add,
  argmax,
  clamp,
  div,
  mul,
  oneHot,
  random,
  softmax,
  sub,
  type Tensor,
  type Tree,
  tanh,
} from "@reins/tensor";
import { type Scaled, scaled } from "../q/action-scaling.ts";
import { allowed, bestAllowed } from "../q/greedy.ts";

/** Actions as seen by the networks, for any action space. */
export interface Actions extends Scaled {
  /**
   * The actor's outputs as a differentiable action. Stochastic actions are sampled with the key; `turn` separates
   * samples that share a key.
   */
  soft(raw: Tensor, key?: Tensor, turn?: number): Tensor;
  /** The nearest valid action among the allowed ones. */
  nearest(soft: Tensor, mask?: Tree): Tensor;
  /** Scales noise for numbers between -1 and 1 to this action space. */
  noise(noise: Tensor): Tensor;
}

/** Gumbel-softmax temperature (Jang et al., 2017), so that every choice keeps a gradient. */
const temperature = 10;

/** One of several actions, one-hot. The range from 0 to 1 takes half the noise of -1 to 1. */
const choices = ({ n, start }: Discrete): Actions => ({
  size: n,
  soft(raw, key, turn = 0) {
    const drawn = key ? add(raw, random.gumbel(random.foldKey(key, 1 + turn), raw.shape)) : raw;
    return softmax(div(drawn, temperature), -1);
  },
  nearest: (soft, mask) => oneHot(bestAllowed(soft, mask), n),
  noise: (noise) => mul(noise, 0.5),
  execute: (inner) => (start === 0 ? argmax(inner, -1) : add(argmax(inner, -1), start)),
  inner: (executed) => oneHot(start === 0 ? executed : sub(executed, start), n),
});

/** Numbers between -1 and 1. */
const numbers = (name: string, spec: EnvSpec): Actions => ({
  ...scaled(name, spec),
  soft: (raw) => tanh(raw),
  nearest: (soft) => clamp(soft, -1, 1),
  noise: (noise) => noise,
});

/** Actions of an environment. */
export const actionsFor = (name: string, spec: EnvSpec): Actions =>
  spec.action.kind === "discrete" ? choices(spec.action) : numbers(name, spec);

/** Samples from the actor's probabilities, with noise on top; greedy when evaluating. */
export const drawing = (
  actions: Actions,
  init: ActingPolicy["init"],
  raw: (weights: Tree, observation: Tree) => Tensor,
  spread: LiveValue,
): ActingPolicy => ({
  init,
  act(weights, { observation, mask }, state, key) {
    const out = raw(weights, observation);
    if (!key) return { action: actions.execute(allowed(out, mask)), state };
    const noise = actions.noise(mul(random.normal(key, out.shape), spread.tensor));
    return { action: actions.execute(allowed(add(actions.soft(out, key), noise), mask)), state };
  },
});
