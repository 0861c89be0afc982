import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fail } from "@reins/core";
import type { Recipe } from "../recipe.ts";
import { builtFile, loadEntry, recipeFiles } from "./book.ts";
import { finding } from "./code.ts";

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
  checkPlace(file, entry);
  return { file, built, recipe: entry };
}

/** What a file must be like for its result to be its own, and for all that was run to be in the digest of its code. */
function checkPlace(file: string, recipe: Recipe): void {
  if (recipe.id !== basename(file, ".ts"))
    fail(
      file,
      `its id is ${recipe.id}, under which its result would be kept. Call the file ${recipe.id}.ts.`,
    );
  const [found = ""] = finding.exec(readFileSync(file, "utf8")) ?? [];
  const [, indent = "", words = ""] = /([ \t]*)finding([\s\S]*)/.exec(found) ?? [];
  const after = new RegExp(`\\n(?:${indent}\\w+[:,(]|(?:export|const|let|function|async|class)\\b).*`).exec(
    words,
  );
  const follows = after?.[0].trim();
  if (follows !== undefined)
    fail(
      file,
      `${follows} comes after finding. The words of a finding are no code, and all that follows would pass for them: write finding last.`,
    );
}
