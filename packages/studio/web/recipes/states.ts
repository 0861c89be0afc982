import type { RecipeLine, RecipeState } from "../../src/recipe-wire.ts";

/** How systems may stand, in the order that they are shown in, and what each means. */
export const states: Readonly<Record<RecipeState, string>> = {
  shown: "All of the 95% interval is at least the smallest effect that counts.",
  towards: "Better, and how much is open: the interval lies above zero.",
  negligible: "Less than the smallest effect that counts, whatever its sign.",
  undecided: "The seeds do not tell.",
  against: "Worse, and how much is open: the interval lies below zero.",
  reversed: "The other way round, by at least the smallest effect that counts.",
  untestable: "What the claim presupposes is not there, or nothing is left to gain.",
  mapped: "A survey or the like: other recipes cover it.",
  "not run": "Written, and not yet measured.",
  "to write": "No recipe yet.",
};

/** All of them, in order. */
export const allStates = Object.keys(states) as readonly RecipeState[];

/** A state as the name of a class. */
export const classOf = (state: RecipeState): string => state.replace(" ", "-");

/** How many systems there are, and how many comparisons of the book's own are among them. */
export function countWords(all: readonly RecipeLine[]): string {
  const own = all.filter((l) => l.isOwn).length;
  return own === 0 ? `${all.length} systems` : `${all.length - own} systems and ${own} of our own`;
}
