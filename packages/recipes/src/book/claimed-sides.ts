import { simplesOf } from "../claims/claim.ts";
import { armsOf, type Recipe } from "../recipe.ts";

/** Whether a claim names an arm, by its position: such an arm runs for every replicate. */
export function named(recipe: Recipe, side: number): boolean {
  const { name } = armsOf(recipe)[side];
  return recipe.claims.some((claim) =>
    simplesOf(claim).some(
      (c) =>
        ("contrast" in c && c.contrast?.includes(name)) ||
        ("sides" in c && c.sides.includes(name)) ||
        ("of" in c && [c.of].flat().includes(name)) ||
        [claim, c].some((said) => [said.presupposes?.side, said.presupposes?.over].includes(name)),
    ),
  );
}
