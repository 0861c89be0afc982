import type { Generator } from "@reins/core/random";

/** A list of items, the first shown first. */
export type ItemList = readonly number[];

/**
 * Recommends lists to a user who examines the items in order and clicks the first attractive one. The click gives
 * a reward, and the user's next state depends on the clicked item, or on no click. Du, Srikant and Chen,
 * "Cascading Reinforcement Learning" (2024).
 */
export interface CascadingMdp {
  readonly states: number;
  readonly items: number;
  /** Maximum length of a list. */
  readonly longest: number;
  /** Lists per episode. */
  readonly horizon: number;
  /** `attraction[state][item]`: click probability when the item is examined. */
  readonly attraction: readonly Float64Array[];
  /** `reward[state][item]` of a click. */
  readonly reward: readonly Float64Array[];
  /** `transition[state][item][next]`; the item `items` stands for no click. */
  readonly transition: readonly (readonly Float64Array[])[];
}

/** Outcome of a list. */
export interface Click {
  /** Position of the clicked item in the list; the list's length if none was clicked. */
  readonly position: number;
  readonly reward: number;
  readonly next: number;
}

/** Shows a list to a user. */
export function show(mdp: CascadingMdp, state: number, list: ItemList, random: Generator): Click {
  let position = 0;
  while (position < list.length && random.random() >= mdp.attraction[state][list[position]]) position++;
  const clicked = position < list.length ? list[position] : mdp.items;
  return {
    position,
    reward: clicked < mdp.items ? mdp.reward[state][clicked] : 0,
    next: random.choice(mdp.states, mdp.transition[state][clicked]),
  };
}

/**
 * Value of a list: the sum over its items of the probability that the item is the clicked one, times its value;
 * `none` is the value of no click.
 */
export function listValue(
  list: ItemList,
  attraction: ArrayLike<number>,
  worth: ArrayLike<number>,
  none: number,
): number {
  let value = none;
  for (let i = list.length - 1; i >= 0; i--) {
    const item = list[i];
    value = attraction[item] * worth[item] + (1 - attraction[item]) * value;
  }
  return value;
}

/** Value of a click on each item, and last of no click, given `values` of the next states. */
export function clickWorth(mdp: CascadingMdp, state: number, values: Float64Array): Float64Array {
  return Float64Array.from(mdp.transition[state], (next, item) => {
    const future = next.reduce((sum, p, s) => sum + p * values[s], 0);
    return item < mdp.items ? mdp.reward[state][item] + future : future;
  });
}

/** State values at the start of an episode when `choose` selects the list at each step in each state. */
export function cascadingValues(
  mdp: CascadingMdp,
  choose: (step: number, state: number, worth: Float64Array) => ItemList,
): Float64Array {
  let values = new Float64Array(mdp.states);
  for (let h = mdp.horizon - 1; h >= 0; h--)
    values = Float64Array.from(values, (_, s) => {
      const worth = clickWorth(mdp, s, values);
      return listValue(choose(h, s, worth), mdp.attraction[s], worth, worth[mdp.items]);
    });
  return values;
}
