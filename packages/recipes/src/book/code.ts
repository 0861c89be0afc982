import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { rootOf, sourcesOf } from "./sources.ts";

/** Digests of the built files that a recipe runs, in two layers. */
export interface RecipeCode {
  /** The recipe, algorithms, environments, language, the training loop: what a run means. */
  readonly meaning: CodeLayer;
  /** The compiler and network layers: how it is computed. */
  readonly numerics: CodeLayer;
}

/** The digest of all files of a layer, and of each. */
export interface CodeLayer {
  readonly all: string;
  readonly files: { readonly [path: string]: string };
}

const numerics = /^packages\/(tensor|nn)\//;
/** The finding, which is written after the result and is not code. It is the last field in the file. */
export const fromFinding = /\n\s*finding(?::|\()[\s\S]*$/;

/** The built code that a recipe runs. */
export function codeOf(file: string): RecipeCode {
  const root = rootOf(file);
  const sources = sourcesOf(file);
  const files = sources
    .map((source, i) => [relative(root, source), digestOf(root, source, i === 0)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const layer = (keep: (path: string) => boolean): CodeLayer => {
    const kept = files.filter(([path]) => keep(path));
    return { all: digest(JSON.stringify(kept)), files: Object.fromEntries(kept) };
  };
  return { meaning: layer((p) => !numerics.test(p)), numerics: layer((p) => numerics.test(p)) };
}

/** The part of the code that a result records: the digests of both layers, and those of the book's own files. The commit determines the rest. */
export function recordedCode({ meaning, numerics: { all } }: RecipeCode): RecipeCode {
  const own = Object.entries(meaning.files).filter(([path]) => path.startsWith("recipes/"));
  return {
    meaning: { all: meaning.all, files: Object.fromEntries(own) },
    numerics: { all, files: {} },
  };
}

/** Whether a file of the book that a result records has changed since. Cheap: no imports are followed. */
export function ownFilesMoved(file: string, { meaning }: RecipeCode): boolean {
  const root = rootOf(file);
  const own = relative(root, file);
  return Object.entries(meaning.files).some(([path, recorded]) => {
    if (!path.startsWith("recipes/")) return false;
    const source = join(root, path);
    return !existsSync(source) || digestOf(root, source, path === own) !== recorded;
  });
}

/** Whether two digests are equal. */
export const sameCode = (a: RecipeCode, b: RecipeCode): boolean =>
  a.meaning.all === b.meaning.all && a.numerics.all === b.numerics.all;

/** The built file of a source; the source itself if there is none. */
function builtOf(root: string, source: string): string {
  const path = relative(root, source).replace(/\.ts$/, ".js");
  const built = join(
    root,
    path.startsWith("packages/")
      ? path.replace("/src/", "/dist/")
      : path.replace(/^recipes\//, "recipes/dist/"),
  );
  return existsSync(built) ? built : source;
}

/** The digest of a built file; the finding of a recipe does not count. */
function digestOf(root: string, source: string, isRecipe: boolean): string {
  const text = readFileSync(builtOf(root, source), "utf8");
  return digest(isRecipe ? text.replace(fromFinding, "") : text).slice(0, 8);
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
