import { promises as fs } from "node:fs";
import { join } from "node:path";
import { pageFolder } from "./assets.ts";
import type { RecipeBook } from "./recipe-wire.ts";

/** What a site shows. */
export interface SiteParts {
  readonly recipes?: RecipeBook;
}

/** Systems without a recipe have all they have in the list. */
const hasMore = ({ state }: { readonly state: string }) => state !== "to write";

/**
 * Writes the page as a site of plain files that needs no server of ours: the page, the list of recipes in
 * `data/recipes.json` and each that is written in `data/recipes/<id>.json`. What else lies in the folder is left alone.
 */
export async function writeSite(folder: string, { recipes }: SiteParts, page = pageFolder): Promise<void> {
  await fs.cp(page, folder, { recursive: true });
  if (!recipes) return;
  const index = join(folder, "index.html");
  const html = await fs.readFile(index, "utf8");
  await fs.writeFile(index, html.replace("<head>", '<head>\n    <meta name="reins-book" content="data" />'));
  const listing = await recipes.list();
  await fs.mkdir(join(folder, "data", "recipes"), { recursive: true });
  await fs.writeFile(join(folder, "data", "recipes.json"), JSON.stringify(listing));
  for (const { id } of listing.recipes.filter(hasMore)) {
    // An id is a file's name here, and must be nothing else.
    if (!/^[\w-][\w.-]*$/.test(id)) continue;
    await fs.writeFile(join(folder, "data", "recipes", `${id}.json`), JSON.stringify(await recipes.one(id)));
  }
}
