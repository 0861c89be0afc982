import { checkRecipe } from "./check.ts";
import type { Grid } from "./grid.ts";
import type { Recipe } from "./recipe.ts";

/** Makes a recipe and checks it. */
export function recipe<const G extends Grid>(r: Omit<Recipe<G>, "kind">): Recipe {
  const whole: Recipe<G> = { kind: "recipe", ...r };
  checkRecipe(whole as Recipe);
  return whole as Recipe;
}
