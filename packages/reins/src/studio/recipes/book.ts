import { existsSync } from "node:fs";
import { join } from "node:path";
import { fail } from "@reins/core";
import { recipeFiles, systemsOf } from "@reins/recipes/book";
import type { RecipeBook, RecipeLine } from "@reins/studio";
import { detailOf } from "./detail.ts";
import { Lines } from "./lines.ts";

/** Opens the recipes in a folder, or in its `recipes`, and in no other: reading them runs their code. */
export function openBook(folder: string): RecipeBook {
  const book = [folder, join(folder, "recipes")].find((at) => existsSync(join(at, "systems.jsonl")));
  if (book === undefined)
    fail(
      "recipes",
      `${folder} has no folder recipes with a file systems.jsonl. Name another: reins studio --recipes FOLDER.`,
    );
  const lines = new Lines(book);
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
      return detailOf(book, line, file);
    },
  };
}
