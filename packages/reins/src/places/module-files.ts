import { readFileSync, realpathSync, statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Paths after `from`, `import`, `import(` and `require(`: relative, absolute or file URLs. */
const places = /\b(?:from|import|require)\b\s*\(?\s*(["'`])((?:\.{1,2}\/|\/|file:)[^"'`\n]*)\1/g;
/** Extensions that `require` adds. */
const endings = ["", ".js", ".json", ".cjs", "/index.js"];

/**
 * A file of code and its transitive imports by path, each once. Packages and computed paths are not followed.
 * Missing files are left out.
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

/** Resolves an imported path from a file, after following symbolic links. */
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
