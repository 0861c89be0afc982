import { checkRecipe } from "./check.ts";
import type { Grid } from "./grid.ts";
import type { Mapped, Recipe } from "./recipe.ts";

/** Makes a recipe and checks it. */
export function recipe<const G extends Grid>(r: Omit<Recipe<G>, "kind">): Recipe {
  const whole: Recipe<G> = { kind: "recipe", ...r };
  checkRecipe(whole as Recipe);
  return whole as Recipe;
}

/** Makes an entry for a system that is covered by others. */
export const mapped = (m: Omit<Mapped, "kind">): Mapped => ({ kind: "mapped", ...m });
