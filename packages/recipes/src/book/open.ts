import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "@reins/core";
import type { Recipe } from "../recipe.ts";
import { builtFile, loadEntry, recipeFiles } from "./book.ts";
import { fromFinding } from "./code.ts";

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
  // A result is kept under the recipe's own name: it must not take the place of another's.
  if (entry.id !== id)
    fail(`recipe ${id}`, `its file says that it is ${entry.id}. Give it the name of its file.`);
  checkLast(id, built, entry);
  return { file, built, recipe: entry };
}

/** What stands from the finding on is no code to {@link codeOf}: there may be nothing else that runs. */
function checkLast(id: string, built: string, { finding }: Recipe): void {
  const [tail] = fromFinding.exec(readFileSync(built, "utf8")) ?? [""];
  const rest = tail
    .replace(finding?.toString() ?? "", "")
    .replace("finding", "")
    .replace(/\/\/#[^\n]*/g, "");
  if (/\w/.test(rest))
    fail(`recipe ${id}`, "there is code beside its finding. Let finding stand last in the file.");
}
