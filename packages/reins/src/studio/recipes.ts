import { fileURLToPath } from "node:url";
import type { RecipeBook } from "@reins/studio";
import { isMissing } from "../places/optional.ts";

/** The project that Reins is part of, or is installed in. Another's code is not run unless somebody names it. */
const project = fileURLToPath(new URL("../../../../", import.meta.url));

/** The recipe book for the studio: that of a folder, read when it is asked for. */
export function recipeBook(folder = project): RecipeBook {
  let opened: Promise<RecipeBook> | undefined;
  const open = () => {
    opened ??= import("./recipes/book.ts").then(({ openBook }) => openBook(folder));
    // A book that was not there may be there later.
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
    ? "recipes are in a package of their own. Run: npm install @reins/recipes"
    : (error as Error).message;
