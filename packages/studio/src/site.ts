import { promises as fs } from "node:fs";
import { join } from "node:path";
import { pageFolder } from "./assets.ts";
import type { RecipeBook } from "./recipe-wire.ts";

/** The content of a static site. */
export interface SiteParts {
  readonly recipes?: RecipeBook;
}

/** Systems without a recipe have no data besides the list. */
const hasMore = ({ state }: { readonly state: string }) => state !== "to write";

/**
 * Writes the page as a static site: the page, the list of recipes in `data/recipes.json` and each recipe in
 * `data/recipes/<id>.json`. Other files in the folder are not changed.
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
    // An id must be a plain file name.
    if (!/^[\w-][\w.-]*$/.test(id)) continue;
    await fs.writeFile(join(folder, "data", "recipes", `${id}.json`), JSON.stringify(await recipes.one(id)));
  }
}
