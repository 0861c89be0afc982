import type { Generator } from "@reins/core";

/** A list of items, the first shown first. */
export type ItemList = readonly number[];

/**
 * Lists are recommended to a user who looks at the items in their order and clicks the first that attracts. The click pays, and the
 * user's next state depends on the item clicked, or on none being clicked. Du, Srikant and Chen, "Cascading Reinforcement Learning"
 * (2024).
 */
export interface CascadingMdp {
  readonly states: number;
  readonly items: number;
  /** Items that a list may have. */
  readonly longest: number;
  /** Lists in an episode. */
  readonly horizon: number;
  /** `attraction[state][item]`: how likely a click is when the item is looked at. */
  readonly attraction: readonly Float64Array[];
  /** `reward[state][item]`, paid for a click. */
  readonly reward: readonly Float64Array[];
  /** `transition[state][item][next]`; in place of an item, `items` stands for no click. */
  readonly transition: readonly (readonly Float64Array[])[];
}

/** What came of a list. */
export interface Click {
  /** Where in the list the item is that was clicked; the list's length if none was. */
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
 * What a list is worth: the sum over its items of the probability that the item is the one clicked, times its worth; `none` is what
 * no click is worth.
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

/** What a click on each item is worth, and in the last place no click, when `values` are those of the next states. */
export function clickWorth(mdp: CascadingMdp, state: number, values: Float64Array): Float64Array {
  return Float64Array.from(mdp.transition[state], (next, item) => {
    const future = next.reduce((sum, p, s) => sum + p * values[s], 0);
    return item < mdp.items ? mdp.reward[state][item] + future : future;
  });
}

/** Values of the states at the beginning of an episode when `choose` names the list at each step in each state. */
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
