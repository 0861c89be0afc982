import type { RecipeDetail, RecipeListing } from "../../src/recipe-wire.ts";
import { isSite, read } from "../source.ts";

/** All systems of the book. */
export const readRecipes = (): Promise<RecipeListing> => read<RecipeListing>("recipes");

/** One of them. A site has no file for those that are not written: the list has all that there is. */
export async function readRecipe(id: string): Promise<RecipeDetail> {
  if (isSite) {
    const line = (await readRecipes()).recipes.find((r) => r.id === id);
    if (line?.state === "to write") return { ...line, history: [] };
  }
  return read<RecipeDetail>(`recipes/${encodeURIComponent(id)}`);
}
