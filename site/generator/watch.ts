import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Plugin } from "vite";
import { textOf } from "./content.ts";
import { contentFolder, pageOf, root } from "./repository.ts";

/** A Vite plugin that writes a page anew when its Markdown file changes. New files need a restart. */
export const regenerate = (): Plugin => ({
  name: "reins-content",
  apply: "serve",
  configureServer({ watcher }) {
    watcher.add([
      join(root, "docs"),
      join(root, "README.md"),
      join(root, "CONTRIBUTING.md"),
      join(root, "CHANGELOG.md"),
    ]);
    watcher.on("change", (path) => {
      const file = relative(root, path);
      const page = pageOf(file);
      if (page && !file.startsWith("docs/api")) writeFileSync(join(contentFolder, page), textOf(file));
    });
  },
});
