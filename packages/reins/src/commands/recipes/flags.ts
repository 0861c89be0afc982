import { type GivenFlags, text, toggle, whole } from "../../cli/flags.ts";

/** The flags of `reins recipes`. */
export const recipeFlags = {
  quick: toggle("run: a trial of a few seconds that only shows that all sides work; nothing is recorded"),
  another: toggle("run: adds one more block of seeds to what is recorded, as a check"),
  because: text(
    "WORDS",
    "run: why a recorded recipe is measured anew, on new seeds; judge: why the rules changed. The old result is kept",
  ),
  jobs: whole("N", "run, refresh, verify: processes at the same time (default: one for each core)", 1),
  family: text("NAME", "list, missing, verify, refresh: only this family"),
  all: toggle("list: also the systems that have no recipe yet"),
  book: text("PATH", "the folder of the recipes (default: the nearest recipes/)"),
  json: toggle("print JSON"),
};

/** Those that were given. */
export type RecipeFlags = GivenFlags<typeof recipeFlags>;
