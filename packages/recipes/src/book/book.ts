import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { fail } from "@reins/core";
import type { Entry } from "../recipe.ts";

/** A published system: a row of `systems.jsonl`, or a recipe of one's own that is on no list. */
export interface System {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly family: readonly string[];
}

/** The folder of the recipe book: the nearest `recipes` with a list of systems, from `start` upwards. */
export function findBook(start = process.cwd()): string {
  for (let at = resolve(start); ; at = dirname(at)) {
    for (const folder of [at, join(at, "recipes")])
      if (existsSync(join(folder, "systems.jsonl"))) return folder;
    if (dirname(at) === at)
      return fail(
        "recipes",
        `there is no folder recipes with a file systems.jsonl here or above (${start}). Go to the project's folder.`,
      );
  }
}

/** The published systems that a book lists, one a line of its `systems.jsonl`. */
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
  return fail(where, "it is no system. Give it as JSON with an id, a title and families.");
}

/** The files of the recipes that are written, by id. */
export function recipeFiles(book: string): Map<string, string> {
  const found = new Map<string, string>();
  const families = readdirSync(book).filter((f) => !/^(dist|results|node_modules|\.)/.test(f));
  for (const family of families.filter((f) => statSync(join(book, f)).isDirectory()))
    for (const file of readdirSync(join(book, family)))
      if (/^[\w-]+\.ts$/.test(file)) found.set(file.slice(0, -3), join(book, family, file));
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What was built from a recipe's file. */
export function builtFile(book: string, file: string): string {
  const built = join(book, "dist", file.slice(resolve(book).length + 1).replace(/\.ts$/, ".js"));
  if (!existsSync(built)) fail(file, "it is not built yet. Run npm run build.");
  if (statSync(built).mtimeMs < statSync(file).mtimeMs)
    fail(file, "it has changed since it was built. Run npm run build.");
  return built;
}

/** Loads an entry from a file that Node can import. */
export async function loadEntry(file: string): Promise<Entry> {
  let module: { default?: Entry };
  try {
    module = (await import(pathToFileURL(file).href)) as typeof module;
  } catch (error) {
    const { name, message } = error as Error;
    // An error of the recipe's own checks says where it is; others do not even name the file.
    if (name === "ReinsError") throw error;
    return fail(
      file,
      `it cannot be loaded: ${name}: ${message}. npm run build shows where the types are wrong.`,
    );
  }
  if (!module.default?.kind)
    fail(file, "its default export is no recipe. Write export default recipe({ … }).");
  return module.default;
}
