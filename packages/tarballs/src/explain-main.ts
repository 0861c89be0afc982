import { cpSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { explained, tablesOf } from "./explain.ts";
import { root } from "./workspace.ts";

/** Post-processing of a build. Writes the option texts into the built declarations of algorithms, for editors to show. */
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
  // The types are unchanged, so dependents need no rebuild.
  utimesSync(file, atime, mtime);
}

// An installed package has no documentation, so the pages that findings refer to are included.
const pages = join(root, "packages/reins/dist/diagnostics");
rmSync(pages, { recursive: true, force: true });
cpSync(join(root, "docs/diagnostics"), pages, { recursive: true });
