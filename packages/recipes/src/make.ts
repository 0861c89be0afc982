import { checkRecipe } from "./check.ts";
import type { Grid } from "./grid.ts";
import type { Mapped, Recipe } from "./recipe.ts";

/** A recipe, checked. */
export function recipe<const G extends Grid>(r: Omit<Recipe<G>, "kind">): Recipe {
  const whole: Recipe<G> = { kind: "recipe", ...r };
  checkRecipe(whole as Recipe);
  return whole as Recipe;
}

/** An entry for what is covered by others. */
export const mapped = (m: Omit<Mapped, "kind">): Mapped => ({ kind: "mapped", ...m });
