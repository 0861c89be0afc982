import type { Acting, Discrete, EnvSpec, Live } from "@reins/core";
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
import { allowed, bestAllowed } from "../q/greedy.ts";
import { type Scaled, scaled } from "../q/scaled.ts";

/** Actions as the networks see them, whatever those of the environment are. */
export interface Actions extends Scaled {
  /**
   * What the actor puts out as an action through which gradients pass. Where chance has a part in it, it is drawn by the key; `turn` tells
   * apart what is drawn by one key.
   */
  soft(raw: Tensor, key?: Tensor, turn?: number): Tensor;
  /** The nearest action that can be taken, of those that are allowed. */
  nearest(soft: Tensor, mask?: Tree): Tensor;
  /** Noise for numbers between -1 and 1 as it is for these actions. */
  noise(noise: Tensor): Tensor;
}

/** How little what the actor puts out counts against chance (Jang et al., 2017), so that no choice is without a slope. */
const temperature = 10;

/** One of several actions: a row of numbers of which one is 1. Between 0 and 1 there is half as much room for noise. */
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

/** The actions of an environment. */
export const actionsFor = (name: string, spec: EnvSpec): Actions =>
  spec.action.kind === "discrete" ? choices(spec.action) : numbers(name, spec);

/** Chooses by chance, as the actor says how likely each action is, with noise on top; without chance the likeliest. */
export const drawing = (
  actions: Actions,
  init: Acting["init"],
  raw: (weights: Tree, observation: Tree) => Tensor,
  spread: Live,
): Acting => ({
  init,
  act(weights, { observation, mask }, state, key) {
    const out = raw(weights, observation);
    if (!key) return { action: actions.execute(allowed(out, mask)), state };
    const noise = actions.noise(mul(random.normal(key, out.shape), spread.tensor));
    return { action: actions.execute(allowed(add(actions.soft(out, key), noise), mask)), state };
  },
});
