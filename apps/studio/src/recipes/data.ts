import type { RecipeDetail, RecipeListing } from "@reins/studio/wire";
import { isSite, read } from "../source.ts";

/** Reads the list of systems. */
export const readRecipes = (): Promise<RecipeListing> => read<RecipeListing>("recipes");

/** Reads one system. A static site has no file for systems without a recipe, so these come from the list. */
export async function readRecipe(id: string): Promise<RecipeDetail> {
  if (isSite) {
    const line = (await readRecipes()).recipes.find((r) => r.id === id);
    if (line?.state === "to write") return { ...line, history: [] };
  }
  return read<RecipeDetail>(`recipes/${encodeURIComponent(id)}`);
}
