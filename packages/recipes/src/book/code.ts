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
  const own = relative(root, sources[0]);
  const textOf = (path: string, built: string) => {
    const text = readFileSync(built, "utf8");
    return path === own ? text.replace(fromFinding, "") : text;
  };
  const files = sources
    .map((source) => [relative(root, source), builtOf(root, source)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const layer = (keep: (path: string) => boolean): CodeLayer => {
    const kept = files
      .filter(([path]) => keep(path))
      .map(([path, built]) => [path, digest(textOf(path, built)).slice(0, 8)] as const);
    return { all: digest(JSON.stringify(kept)), files: Object.fromEntries(kept) };
  };
  return { meaning: layer((p) => !numerics.test(p)), numerics: layer((p) => numerics.test(p)) };
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

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
