import { type ActingPolicy, type Discrete, size } from "@reins/core";
import { randomAction } from "@reins/core/loops";
import type { LiveValue } from "@reins/core/settings";
import * as signals from "@reins/core/signals";
import {
  add,
  and,
  argmax,
  gt,
  lt,
  max,
  oneHot,
  or,
  random,
  sub,
  type Tensor,
  type Tree,
  where,
  zeros,
} from "@reins/tensor";
import { epsilon } from "../options.ts";
import type { ValueForm } from "./value-form.ts";

/**
 * A network's outputs for all actions. Its head may draw noise from `key`; random layers of its body use `learn`
 * in training.
 */
export type Values = (weights: Tree, observation: Tree, key?: Tensor, learn?: Tensor) => Tensor;

/** Values [rows, actions], with masked actions far below all others. */
export const allowed = (value: Tensor, mask?: Tree): Tensor =>
  mask ? where(mask as Tensor, value, -1e30) : value;

/** The best allowed action of each row. */
export const bestAllowed = (value: Tensor, mask?: Tree): Tensor => argmax(allowed(value, mask));

/** Whether a mask [rows, actions] allows each row's action. */
const isAllowed = (mask: Tensor, action: Tensor): Tensor =>
  gt(max(where(mask, oneHot(action, mask.shape[1]), 0), -1), 0);

/** Options of epsilon-greedy exploration. */
export const explorationRows = {
  epsilon: epsilon(signals.linear(1, 0.05, 0.5)),
  maxRepeat: size(
    1,
    "Maximum steps for which a random action is repeated. More explores further where single steps cancel out (1 to 64).",
    { within: "count" },
  ),
};

/** The random action under way in each row, and its remaining steps. */
type Held = { action: Tensor; left: Tensor };

/** The parts of an epsilon-greedy policy. */
export interface GreedyParts {
  readonly space: Discrete;
  /** Turns the network's outputs into expected returns (default: they are the expected returns). */
  readonly form?: Pick<ValueForm, "mean">;
  readonly values: Values;
  /** Share of random actions. */
  readonly epsilon: LiveValue;
  /** Maximum steps for which a random action is repeated (default 1). */
  readonly maxRepeat?: number;
}

/**
 * Epsilon-greedy actions. With `maxRepeat` above 1 a random action is repeated for 1 to `maxRepeat` steps (Dabney et al.,
 * 2021): single random steps cancel out where a long push in one direction is needed.
 */
export function greedy({ space, form, values, epsilon, maxRepeat = 1 }: GreedyParts): ActingPolicy {
  return {
    init: () => ({}),
    ...(maxRepeat > 1
      ? { start: (rows: number) => ({ action: zeros([rows], "i32"), left: zeros([rows], "i32") }) }
      : {}),
    act(weights, { observation, mask, first }, state, key) {
      const [chance, other, noise, time] = key ? random.splitKey(key, maxRepeat > 1 ? 4 : 3) : [];
      const outputs = values(weights, observation, noise);
      const action = add(bestAllowed(form?.mean(outputs) ?? outputs, mask), space.start);
      if (!key || epsilon.isOff()) return { action, state };
      const rows = action.shape[0];
      const explore = lt(random.uniform(chance, [rows]), epsilon.tensor);
      const any = randomAction(space, rows, other, mask) as Tensor;
      if (maxRepeat <= 1) return { action: where(explore, any, action), state };
      const held = state as Held;
      const left = first ? where(first, 0, held.left) : held.left;
      // A held action that is no longer allowed is dropped.
      const may = mask ? isAllowed(mask as Tensor, sub(held.action, space.start)) : undefined;
      const going = may ? and(gt(left, 0), may) : gt(left, 0);
      const chosen = where(going, held.action, any);
      const lasting = where(
        going,
        sub(left, 1),
        where(explore, random.randint(time, [rows], 0, maxRepeat), 0),
      );
      const next: Held = { action: chosen, left: lasting };
      return { action: where(or(going, explore), chosen, action), state: next };
    },
  };
}
