import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeApi } from "../../packages/bench/dist/api/api-pages.js";
import { algorithmExtras } from "./algorithm-pages.ts";
import { type ApiPackage, apiPackages } from "./api-pages.ts";
import { imageAddress, imageTypes } from "./images.ts";
import { contentFolder, filesIn, pageFiles, pageOf, root } from "./repository.ts";

/** The site's pages, as they were generated. */
export interface Content {
  /** The repository file that a page was made from, by its path in the content: its links are relative to it. */
  readonly origins: ReadonlyMap<string, string>;
  readonly api: readonly ApiPackage[];
}

/** Writes every page of the site from the repository's Markdown files. */
export function writeContent(): Content {
  rmSync(contentFolder, { recursive: true, force: true });
  const origins = new Map<string, string>();
  const write = (page: string, origin: string, text: string) => {
    origins.set(page, origin);
    mkdirSync(dirname(join(contentFolder, page)), { recursive: true });
    writeFileSync(join(contentFolder, page), text);
  };
  for (const file of pageFiles()) write(pageOf(file)!, file, textOf(file));
  writeApi(root);
  const api = apiPackages();
  for (const { pages } of api)
    for (const { page, text } of pages)
      write(page, "docs/api/README.md", `---\neditLink: false\n---\n${text}`);
  write("api/index.md", "docs/api.md", `${textOf("docs/api.md")}\n${apiIndex(api)}`);
  write("playground.md", "site/playground.md", readFileSync(join(root, "site/playground.md"), "utf8"));
  for (const folder of ["docs", "recipes/families"])
    for (const image of imageTypes.flatMap((type) => filesIn(folder, type)))
      cpSync(join(root, image), join(contentFolder, "public", imageAddress(image)));
  return { origins, api };
}

/** The text of a page: that of its file, and what the site adds to algorithms. */
export function textOf(file: string): string {
  const text = `${frontmatterOf(file)}${readFileSync(join(root, file), "utf8")}`;
  const algorithm = /^docs\/algorithms\/(.+)\.md$/.exec(file)?.[1];
  if (!algorithm || !text.includes("<!-- generated -->")) return text;
  const section = text.indexOf("\n## ") + 1;
  return `${text.slice(0, section)}${algorithmExtras(algorithm)}\n${text.slice(section)}`;
}

/** The wide tables of recipes take the place of the outline, which is nearly empty there. */
const frontmatterOf = (file: string) => (file.startsWith("recipes/") ? "---\naside: false\n---\n\n" : "");

const apiIndex = (api: readonly ApiPackage[]) =>
  `${api
    .map(({ name, pages: [first, ...rest] }) => {
      const subjects = rest.map(({ page, title }) => `[${title}](/${page})`).join(" · ");
      return `## [\`${name}\`](/${first.page})\n\n${subjects}`;
    })
    .join("\n\n")}\n`;
