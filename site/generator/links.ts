import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import type { Content } from "./content.ts";
import { imageAddress, imageTypes } from "./images.ts";
import { pageOf, root } from "./repository.ts";

/** Where source files are shown: an address such as `https://host/owner/reins/blob/main`, or copies in the site. */
const repository = process.env.REINS_REPOSITORY;

/** Resolves links between files of the repository to pages of the site. */
export class Links {
  private readonly origins: Content["origins"];
  private readonly anchors = new Map<string, string>();
  /** Files and folders that pages link to and that are not pages. */
  readonly sources = new Set<string>();

  constructor({ origins, api }: Content) {
    this.origins = origins;
    for (const { name, pages } of api)
      for (const { page, text } of pages)
        for (const [, anchor] of text.matchAll(/^#+ .* ⟦#(.+?)⟧$/gm))
          this.anchors.set(`docs/api/${name.replaceAll("/", "-")}.md#${anchor}`, page);
  }

  /** The address of a link in a page. Throws if its target does not exist. */
  resolve(page: string, link: string): string {
    if (/^([a-z]+:|\/|#)/i.test(link)) return link;
    const [, anchor] = link.split("#");
    const origin = this.origins.get(page) ?? page;
    const file = this.fileOf(page, link);
    if (!existsSync(join(root, file))) throw new Error(`${origin}: dead link to ${link} (no file ${file}).`);
    const hash = anchor ? `#${anchor}` : "";
    const split = this.anchors.get(`${file}${hash}`);
    if (split) return `/${split}${hash}`;
    if (file.startsWith("docs/api/") && !file.endsWith("/README.md")) return `/${this.apiPage(file)}${hash}`;
    if (imageTypes.some((type) => file.endsWith(type))) return imageAddress(file);
    const target = pageOf(file);
    if (target && this.origins.has(target)) return `/${target}${hash}`;
    return this.source(file);
  }

  /** The repository file that a relative link of a page names. */
  fileOf(page: string, link: string): string {
    const folder = posix.dirname(this.origins.get(page) ?? page);
    return posix.normalize(posix.join(folder, decodeURI(link.split("#")[0]))).replace(/\/$/, "");
  }

  /** The page of a package of the API reference, which may be split by subject. */
  private apiPage(file: string): string {
    const page = file.slice("docs/".length);
    return this.origins.has(page) ? page : page.replace(/\.md$/, "/index.md");
  }

  /** The address of a file that is not a page. */
  private source(file: string): string {
    if (repository) return `${repository}/${file}`;
    this.sources.add(file);
    return `/source/${file}${/\.(json|html)$/.test(file) ? "" : ".txt"}`;
  }

  /** Copies the linked source files into the built site, as plain text that browsers show. */
  copySources(outDir: string): void {
    for (const file of this.sources) {
      const to = join(outDir, this.source(file));
      mkdirSync(dirname(to), { recursive: true });
      if (statSync(join(root, file)).isDirectory())
        writeFileSync(to, `${readdirSync(join(root, file)).join("\n")}\n`);
      else cpSync(join(root, file), to);
    }
  }
}
