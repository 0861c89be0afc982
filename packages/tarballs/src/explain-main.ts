import { cpSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { explained, tablesOf } from "./explain.ts";
import { root } from "./workspace.ts";

/** What a build adds to what the compiler wrote. First it writes the explanations of options into the declarations of the algorithms that were built, for editors to show. */
const dist = join(root, "packages/algorithms/dist");
for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  const file = join(dist, path);
  if (!path.endsWith(".d.ts") || /\.test\.d\.ts$|testing/.test(path)) continue;
  const text = readFileSync(file, "utf8");
  if (!text.includes(".AlgorithmMaker<{")) continue;
  const module = (await import(pathToFileURL(file.replace(/\.d\.ts$/, ".js")).href)) as object;
  const more = explained(text, tablesOf(module));
  if (more === text) continue;
  const { atime, mtime } = statSync(file);
  writeFileSync(file, more);
  // Types are the same: what depends on them need not be built again.
  utimesSync(file, atime, mtime);
}

// Whoever installed the package has no documentation: the pages that findings name go with it.
const pages = join(root, "packages/reins/dist/diagnostics");
rmSync(pages, { recursive: true, force: true });
cpSync(join(root, "docs/diagnostics"), pages, { recursive: true });
