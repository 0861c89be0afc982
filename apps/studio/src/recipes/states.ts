import type { RecipeLevel, RecipeLine, RecipeState } from "@reins/studio/wire";

/** The states of systems in display order, with their meaning. */
export const states: Readonly<Record<RecipeState, string>> = {
  shown: "An effect of at least the smallest relevant one: the whole 95% interval is above it.",
  towards: "Better, by an uncertain amount: the interval is above zero.",
  negligible: "Below the smallest relevant effect in both directions.",
  undecided: "The interval is too wide for a verdict.",
  against: "Worse, by an uncertain amount: the interval is below zero.",
  reversed: "At least the smallest relevant effect in the other direction.",
  untestable: "A precondition of the claim fails, or nothing is left to gain.",
  mapped: "A survey or similar, covered by other recipes.",
  "not run": "Written, not measured yet.",
  "to write": "No recipe yet.",
};

/** The levels of evidence, with their meaning. */
export const levels: Readonly<Record<RecipeLevel, string>> = {
  mapped: "A survey, with the parts that cover it.",
  works: "Fewer replicates than planned, at least ten per block.",
  measured: "The planned number of replicates in both blocks.",
  replicated: "A second testbed has the same verdict.",
};

/** All states, in display order. */
export const allStates = Object.keys(states) as readonly RecipeState[];

/** The CSS class of a state. */
export const classOf = (state: RecipeState): string => state.replace(" ", "-");

/** The number of published systems and of comparisons of our own. */
export function countWords(all: readonly RecipeLine[]): string {
  const own = all.filter((l) => l.isOwn).length;
  return own === 0
    ? `${all.length} systems`
    : `${all.length - own} systems and ${own} comparisons of our own`;
}
