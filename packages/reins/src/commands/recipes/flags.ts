import { type GivenFlags, text, toggle, whole } from "../../cli/flags.ts";

/** The flags of `reins recipes`. */
export const recipeFlags = {
  quick: toggle("run: a smoke test of all arms in a few seconds; nothing is recorded"),
  another: toggle("run: add another block of seeds to the recorded result, as a check"),
  because: text(
    "WORDS",
    "run: why a recorded recipe is measured again, on new seeds; judge: why the rules changed. The old result is kept",
  ),
  jobs: whole("N", "run, refresh, verify: parallel processes (default: one per core)", 1),
  testbed: text(
    "NAME",
    "run: the testbed if it is not measured yet, then all recipes on it without a result",
  ),
  whole: toggle("run: all planned replicates of a recipe on a testbed, whatever the first look says"),
  family: text("NAME", "list, missing, verify, refresh: only this family"),
  all: toggle("list: include methods without a recipe"),
  book: text("PATH", "folder of recipes (default: the nearest recipes/)"),
  json: toggle("print JSON"),
};

/** Parsed flags of `reins recipes`. */
export type RecipeFlags = GivenFlags<typeof recipeFlags>;
