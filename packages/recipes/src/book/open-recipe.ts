import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "@reins/core";
import type { Recipe } from "../recipe.ts";
import { builtFile, loadEntry, recipeFiles } from "./book.ts";
import { fromFinding } from "./code.ts";

/** The cache of warm starts and of interrupted measurements: beside the recipes, so that it survives a restart of the machine. */
export const cacheFolder = (book: string): string => process.env.REINS_RECIPE_CACHE ?? join(book, ".cache");

/** A recipe of the book, with its files. */
export async function open(
  book: string,
  id: string,
): Promise<{ file: string; built: string; recipe: Recipe }> {
  const file = recipeFiles(book).get(id);
  if (!file)
    return fail(`recipe ${id}`, "it does not exist yet. reins recipes list shows the existing ones.");
  const built = builtFile(book, file);
  const entry = await loadEntry(built);
  if (entry.kind === "mapped")
    return fail(`recipe ${id}`, "it is mapped to other recipes, so it cannot be run. Run those instead.");
  // A result is stored under the recipe's id, which must not overwrite another recipe's.
  if (entry.id !== id)
    fail(`recipe ${id}`, `its file has the id ${entry.id}. The id must equal the file name.`);
  checkLast(id, built, entry);
  return { file, built, recipe: entry };
}

/** {@link codeOf} ignores everything from the finding on, so nothing else may follow it. */
function checkLast(id: string, built: string, { finding }: Recipe): void {
  const [tail] = fromFinding.exec(readFileSync(built, "utf8")) ?? [""];
  const rest = tail
    .replace(finding?.toString() ?? "", "")
    .replace("finding", "")
    .replace(/\/\/#[^\n]*/g, "");
  if (/\w/.test(rest))
    fail(`recipe ${id}`, "there is code after its finding. Make finding the last field in the file.");
}
