import { fileURLToPath } from "node:url";
import type { RecipeBook } from "@reins/studio";
import { isMissing } from "../places/optional.ts";

/** The project that contains Reins or in which it is installed. Code of other folders runs only if the user names them. */
const project = fileURLToPath(new URL("../../../../", import.meta.url));

/** Recipes for the studio from a folder, read on demand. */
export function recipeBook(folder = project): RecipeBook {
  let opened: Promise<RecipeBook> | undefined;
  const open = () => {
    opened ??= import("./recipes/book.ts").then(({ openBook }) => openBook(folder));
    // Missing recipes may be added later.
    opened.catch(() => (opened = undefined));
    return opened;
  };
  return {
    async list() {
      try {
        return await (await open()).list();
      } catch (error) {
        return { recipes: [], missing: whyNot(error) };
      }
    },
    one: async (id) => (await open()).one(id),
  };
}

const whyNot = (error: unknown): string =>
  isMissing(error, "@reins/recipes")
    ? "recipes need an optional package. Run: npm install @reins/recipes"
    : (error as Error).message;
