import { findBook, recipeFiles, systemsOf } from "@reins/recipes/book";
import type { RecipeBook, RecipeLine } from "@reins/studio";
import { loaderOf } from "./code.ts";
import { detailOf } from "./detail.ts";
import { Lines } from "./lines.ts";

/** Opens the book of recipes that is nearest. */
export function openBook(start: string): RecipeBook {
  const book = findBook(start);
  const load = loaderOf(book);
  const lines = new Lines(book, load);
  return {
    async list() {
      const files = recipeFiles(book);
      const systems = systemsOf(book);
      const all: RecipeLine[] = [];
      for (const system of systems) all.push(await lines.of(system, files.get(system.id)));
      for (const [id, file] of files)
        if (!systems.some((s) => s.id === id)) all.push(await lines.ofOwn(id, file));
      return { recipes: all };
    },
    async one(id) {
      const file = recipeFiles(book).get(id);
      const system = systemsOf(book).find((s) => s.id === id);
      if (!system && file === undefined) return undefined;
      const line = system ? await lines.of(system, file) : await lines.ofOwn(id, file!);
      return detailOf(book, line, load, file);
    },
  };
}
