import { readFileSync, realpathSync, statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

/** What follows `from`, `import`, `import(` and `require(` and is a place: a relative or absolute path, or an address of a file. */
const places = /\b(?:from|import|require)\b\s*\(?\s*(["'`])((?:\.{1,2}\/|\/|file:)[^"'`\n]*)\1/g;
/** What `require` adds to a path. */
const endings = ["", ".js", ".json", ".cjs", "/index.js"];

/**
 * A file of code and what it imports by its place, and what that imports, each once. Packages are not followed, nor is what is named
 * only while the code runs. What is missing is left out.
 */
export function filesOf(file: string): string[] {
  const found = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const path = existing(next);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    for (const [, , place] of readFileSync(path, "utf8").matchAll(places)) waiting.push(placeOf(place, path));
  }
  return [...found];
}

/** Where code in a file finds a place that it names: links are followed first. */
function placeOf(place: string, from: string): string {
  try {
    return fileURLToPath(new URL(place, pathToFileURL(from)));
  } catch {
    return place;
  }
}

function existing(path: string): string | undefined {
  for (const ending of endings)
    try {
      const real = realpathSync(path + ending);
      if (statSync(real).isFile()) return real;
    } catch {}
  return undefined;
}
