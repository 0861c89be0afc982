import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Root of the repository. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Where the generated Markdown pages are written. Ignored by git. */
export const contentFolder = join(root, "site/.content");

/** Files of a folder of the repository, as paths from the root; absent folders have none. */
export function filesIn(folder: string, ending: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(path, ending);
    return path.endsWith(ending) ? [path] : [];
  });
}

/** Markdown files outside docs that are pages, with their address in the site. */
const others: Readonly<Record<string, string>> = {
  "README.md": "index.md",
  "docs/api.md": "api/index.md",
  "CONTRIBUTING.md": "contributing.md",
  "CHANGELOG.md": "changelog.md",
  "examples/README.md": "examples.md",
  "recipes/README.md": "recipe-book/index.md",
  "packages/bench/README.md": "measuring.md",
  "results/scores/table.md": "scores.md",
};

/** The page of a Markdown file of the repository, as a path in the site's content; undefined if it is not a page. */
export function pageOf(file: string): string | undefined {
  if (file in others) return others[file];
  const family = /^recipes\/families\/(.+\.md)$/.exec(file);
  if (family) return `recipe-book/${family[1]}`;
  const doc = /^docs\/(.+\.md)$/.exec(file);
  return doc?.[1].replace(/(^|\/)README\.md$/, "$1index.md");
}

/** All Markdown files of the repository that are pages of the site, without the generated API reference. */
export const pageFiles = (): string[] =>
  [
    ...new Set([...Object.keys(others), ...filesIn("docs", ".md"), ...filesIn("recipes/families", ".md")]),
  ].filter((file) => existsSync(join(root, file)) && !file.startsWith("docs/api/"));

/** A heading's anchor, as GitHub makes it, so that links work in both places. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/<[^>]*>/g, "")
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
    .replaceAll(" ", "-");
