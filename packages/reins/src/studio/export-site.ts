import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail } from "@reins/core";
import type { RecipeBook, writeSite } from "@reins/studio";
import { type Io, print } from "../terminal/io.ts";

/** Writes the pages that need no server to a folder, and prints how to view them. */
export async function exportSite(
  folder: string,
  recipes: RecipeBook,
  write: typeof writeSite,
  io: Io,
): Promise<void> {
  if (!isFree(folder))
    fail(
      "studio",
      `${folder} is not empty and was not exported by the studio. Name a new folder or an empty one.`,
    );
  const { recipes: all, missing } = await recipes.list();
  await write(folder, missing === undefined ? { recipes } : {});
  const pages =
    missing === undefined
      ? `the recipes (${all.length} in the book) and the page that trains`
      : "the page that trains";
  print(io.out, `${folder}   ${pages}`, `View it with any static file server: npx serve ${folder}`);
  if (missing !== undefined) print(io.err, `reins: recipes are not included: ${missing}`);
}

/** Whether writing there loses nothing: the folder is empty, or an earlier export. */
function isFree(folder: string): boolean {
  if (!existsSync(folder)) return true;
  if (!statSync(folder).isDirectory()) return false;
  if (readdirSync(folder).length === 0) return true;
  const index = join(folder, "index.html");
  return existsSync(index) && readFileSync(index, "utf8").includes("<title>Reins Studio</title>");
}
