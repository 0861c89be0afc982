import { type GivenFlags, text, toggle, whole } from "../../cli/flags.ts";

/** The flags of `reins recipes`. */
export const recipeFlags = {
  seeds: whole("N", "run: evaluation seeds (default: the recipe's, 10 at least)", 1),
  "first-seed": whole(
    "K",
    "run: the first of them (default 100). Others than 100 are added to the result, as a check",
  ),
  quick: toggle("run: a trial of a few seconds that only shows that both sides work; nothing is recorded"),
  jobs: whole("N", "run, refresh, verify: processes at the same time (default: one for each core)", 1),
  family: text("NAME", "list, missing: only this family"),
  all: toggle("list: also the systems that have no recipe yet"),
  book: text("PATH", "the folder of the recipes (default: the nearest recipes/)"),
  json: toggle("print JSON"),
};

/** Those that were given. */
export type RecipeFlags = GivenFlags<typeof recipeFlags>;
