import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Entry,
  type Exported,
  entries,
  exportsOf,
  isFormer,
} from "../../../reins/dist/testing-exports.js";
import { declarationOf } from "./declaration.ts";

/** Writes the API reference: a page for each entry, from the comments and types of the sources. */
export function writeApi(root: string): void {
  const folder = join(root, "docs", "api");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of apiPages(root)) writeFileSync(join(folder, name), text);
}

/** The pages by file name. */
export function apiPages(root: string): Map<string, string> {
  const own = entries.filter(
    ({ specifier }) =>
      ["reins", "reins/agent", "reins/tools", "reins/tuning"].includes(specifier) ||
      specifier.startsWith("@reins/"),
  );
  const pages = new Map(own.map((entry) => [fileOf(entry), pageOf(root, entry)]));
  const list = own.map(
    (entry) =>
      `- [\`${importOf(entry)}\`](${fileOf(entry)}): ${exportsOf(entry.source).filter((e) => !e.name.includes(".") && !isFormer(e)).length} names`,
  );
  return pages.set("README.md", `${head("The API")}\n${list.join("\n")}\n`);
}

const head = (title: string) =>
  `# ${title}\n\nWritten from the sources by \`npm run bench -- pages\`: change the comments there, not this page.\n`;

/** The import path: `reins/core` is `@reins/core`. */
const importOf = ({ specifier }: Entry) => specifier.replace(/^@/, "");
const fileOf = (entry: Entry) => `${importOf(entry).replaceAll("/", "-")}.md`;

function pageOf(root: string, entry: Entry): string {
  // Members of namespaces are on the page of their package.
  const own = exportsOf(entry.source).filter(
    (e) => !isFormer(e) && (entry.specifier !== "reins" || !e.name.includes(".")),
  );
  const all = [...own].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  const index = all.map(({ name }) => `[\`${name}\`](#${anchor(name)})`).join(" · ");
  return `${head(`\`${importOf(entry)}\``)}\n${index}\n\n${all.map((one) => sectionOf(root, one)).join("\n\n")}\n`;
}

/** A declaration for readers: types by name, and a reference to the options of an algorithm. */
function shortened(name: string, declared: string | undefined): string | undefined {
  if (declared === undefined) return undefined;
  const plain = declared.replace(/import\("[^"]+"\)\./g, "");
  return /^const \w+: AlgorithmMaker</.test(plain)
    ? `const ${name}: AlgorithmMaker; // its options: reins algorithms, and docs/algorithms`
    : plain;
}

const anchor = (name: string) => name.toLowerCase().replace(/[^\w-]/g, "");

function sectionOf(root: string, { name, file, comment = "" }: Exported): string {
  const plain = name.split(".").at(-1)!;
  const types = join(root, file.replace("/src/", "/dist/").replace(/\.ts$/, ".d.ts"));
  const declared = shortened(plain, declarationOf(types, plain));
  const code = declared === undefined ? [] : ["", "```ts", declared.trimEnd(), "```"];
  const text = comment.replace(/\{@link (\S+?)\}/g, "`$1`").replace(/^@example\n?/gm, "Example:\n\n");
  return [`## ${name}`, "", `[${file}](../../${file})`, "", text, ...code].join("\n");
}
