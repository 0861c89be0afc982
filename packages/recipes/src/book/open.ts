import { join } from "node:path";
import { fail } from "@reins/core";
import type { Recipe } from "../recipe.ts";
import { builtFile, loadEntry, recipeFiles } from "./book.ts";

/** Where warm starts lie and what interrupted measurements have: beside the recipes, where a restart of the machine does not lose it. */
export const cacheFolder = (book: string): string => process.env.REINS_RECIPE_CACHE ?? join(book, ".cache");

/** A recipe of the book, with its files. */
export async function open(
  book: string,
  id: string,
): Promise<{ file: string; built: string; recipe: Recipe }> {
  const file = recipeFiles(book).get(id);
  if (!file) return fail(`recipe ${id}`, "it is not written yet. reins recipes list shows those that are.");
  const built = builtFile(book, file);
  const entry = await loadEntry(built);
  if (entry.kind === "mapped")
    return fail(`recipe ${id}`, "it is mapped to others: there is nothing to run.");
  return { file, built, recipe: entry };
}
