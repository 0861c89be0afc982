import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { entries, exportsOf } from "./testing-exports.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Pages with programs, relative to the root of the workspace. */
export const pages: readonly string[] = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
  ...readdirSync(join(root, "docs/diagnostics")).map((file) => `docs/diagnostics/${file}`),
  ...readdirSync(join(root, "packages"))
    .map((name) => `packages/${name}/README.md`)
    .filter((file) => existsSync(join(root, file))),
];

/** A TypeScript program of a page, with its first line. */
export interface DocProgram {
  readonly page: string;
  readonly line: number;
  readonly code: string;
}

/** The TypeScript programs of a page. */
export function programsOf(page: string): DocProgram[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => ({
    page,
    line: text.slice(0, match.index).split("\n").length + 1,
    code: match[1],
  }));
}

/** Source files that declare the imports of a program. */
export function importedFiles(code: string): string[] {
  const clauses = code.matchAll(/\bimport\s+(?:type\s+)?(\{[^}]*\}|\* as \w+)\s+from\s+"([^"]+)"/g);
  const files = [...clauses].flatMap(([, names, from]) => {
    const entry = entries.find(({ specifier }) => specifier === from);
    if (!entry) return [];
    const wanted = new Set(names.match(/[\w$]+/g));
    const exported = exportsOf(entry.source);
    const declared = names.startsWith("*") ? exported : exported.filter(({ name }) => wanted.has(name));
    return [entry.source, ...declared.map(({ file }) => file)];
  });
  return [...new Set(files)].sort();
}

/** Digest of a program and of the files that declare its imports. */
export function keyOf(code: string, read = (file: string) => readFileSync(join(root, file), "utf8")): string {
  const hash = createHash("sha256").update(code);
  for (const file of importedFiles(code)) hash.update(`\n${file}\n${read(file)}`);
  return hash.digest("hex").slice(0, 16);
}
