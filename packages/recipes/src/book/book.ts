import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { fail } from "@reins/core";
import type { Entry } from "../recipe.ts";

/** A published system: a row of `systems.jsonl`, or a custom recipe without one. */
export interface System {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly family: readonly string[];
}

/** The folder of the recipe book: the nearest `recipes` folder with a list of systems, from `start` upwards. */
export function findBook(start = process.cwd()): string {
  for (let at = resolve(start); ; at = dirname(at)) {
    for (const folder of [at, join(at, "recipes")])
      if (existsSync(join(folder, "systems.jsonl"))) return folder;
    if (dirname(at) === at)
      return fail(
        "recipes",
        `no folder recipes with a file systems.jsonl in ${start} or above. Run it in the project's folder.`,
      );
  }
}

/** The published systems of a book, one per line of its `systems.jsonl`. */
export function systemsOf(book: string): System[] {
  const path = join(book, "systems.jsonl");
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, i) => (line.trim() ? [systemOf(line, `${path}, line ${i + 1}`)] : []));
}

function systemOf(line: string, where: string): System {
  try {
    const system = JSON.parse(line) as Partial<System>;
    if (system.id && system.title && system.family?.length) return system as System;
  } catch {}
  return fail(where, "not a valid system. Write JSON with an id, a title and families.");
}

/** The files of the existing recipes, by id. Files in `shared` are parts of several. */
export function recipeFiles(book: string): Map<string, string> {
  const found = new Map<string, string>();
  const families = readdirSync(book).filter((f) => !/^(dist|results|shared|node_modules|\.)/.test(f));
  for (const family of families.filter((f) => statSync(join(book, f)).isDirectory()))
    for (const file of readdirSync(join(book, family)))
      if (/^[\w-]+\.ts$/.test(file)) found.set(file.slice(0, -3), join(book, family, file));
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The built file of a recipe's source file. A build leaves files whose text has not changed as they are, and touches
 * `.tsbuildinfo`.
 */
export function builtFile(book: string, file: string): string {
  const built = join(book, "dist", file.slice(resolve(book).length + 1).replace(/\.ts$/, ".js"));
  if (!existsSync(built)) fail(file, "not built yet. Run npm run build.");
  const changed = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.max(changed(built), changed(join(book, "dist/.tsbuildinfo"))) < changed(file))
    fail(file, "changed since the last build. Run npm run build.");
  return built;
}

/** Loads an entry from a file that Node can import. */
export async function loadEntry(file: string): Promise<Entry> {
  let module: { default?: Entry };
  try {
    module = (await import(pathToFileURL(file).href)) as typeof module;
  } catch (error) {
    const { name, message } = error as Error;
    // Errors of the recipe's own checks name the file; others do not.
    if (name === "ReinsError") throw error;
    return fail(file, `cannot be loaded: ${name}: ${message}. npm run build shows type errors.`);
  }
  if (!module.default?.kind)
    fail(file, "the default export is not a recipe. Write export default recipe({ … }).");
  return module.default;
}
