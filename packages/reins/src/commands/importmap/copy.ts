import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { entriesOf, type ImportMap, type Installed, importMap } from "./map.ts";

/** Import specifiers: in statements at the beginning of a line, or in `import("…")`. */
const specifiers = /(^(?:import|export)\b[^"'()]*?\bfrom\s*|^import\s*|\bimport\()"([^"\n]+)"/gm;

/** Entry points that need Node: a run on disk, environments in other processes. */
const nodeOnly = ["./core/directory", "./envs/remote"];

/** Resolves a specifier in a file. */
function follow({ imports, scopes }: ImportMap, file: string, specifier: string): string | undefined {
  const scope = Object.keys(scopes).find((under) => file.startsWith(under));
  return (scope && scopes[scope][specifier]) ?? imports[specifier];
}

/** The relative path from one file to another. */
function placeOf(to: string, from: string): string {
  const place = posix.relative(posix.dirname(from), to);
  return place.startsWith(".") ? place : `./${place}`;
}

/** A module's text with relative paths instead of bare specifiers. Calls `seen` with each imported file. */
function withRelativeImports(
  map: ImportMap,
  file: string,
  text: string,
  seen: (file: string) => void,
): string {
  return text.replace(specifiers, (all, before: string, specifier: string) => {
    const to = specifier.startsWith(".")
      ? posix.join(posix.dirname(file), specifier)
      : follow(map, file, specifier);
    if (to === undefined) return all;
    seen(to);
    return `${before}"${placeOf(to, file)}"`;
  });
}

/**
 * Copies the modules of `reins` that browsers need into a folder, with relative imports only, so that pages and workers can load them. Each
 * entry point is a file there (`index.js`, `agent.js`). Returns these files by import specifier.
 */
export function copyModules(
  root: string,
  packages: readonly Installed[],
  target: string,
): { readonly [specifier: string]: string } {
  const folders = new Map(packages.map(({ folder, manifest }) => [manifest.name, folder]));
  // Packages are copied to folders of their names.
  const map = importMap(packages.map(({ manifest }) => ({ folder: manifest.name, manifest })));
  const original = (file: string) => {
    const [, name, rest] = /^\/((?:@[^/]+\/)?[^/]+)\/(.*)$/.exec(file)!;
    return join(root, folders.get(name)!, rest);
  };
  const { manifest } = packages.find((p) => p.manifest.name === "reins")!;
  const given: Record<string, string> = {};
  const waiting: string[] = [];
  for (const [subpath, file] of entriesOf(manifest)) {
    // Optional packages may not be installed.
    if (nodeOnly.includes(subpath) || !isInstalled(subpath, folders)) continue;
    const name = subpath === "." ? "index.js" : `${subpath.slice(2)}.js`;
    const place = posix.join("/reins", file);
    write(join(target, name), `export * from "${placeOf(place, `/${name}`)}";\n`);
    given[`reins${subpath.slice(1)}`] = name;
    waiting.push(place);
  }
  const copied = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (copied.has(file)) continue;
    copied.add(file);
    const text = readFileSync(original(file), "utf8");
    write(
      join(target, file),
      withRelativeImports(map, file, text, (to) => waiting.push(to)),
    );
  }
  return given;
}

/** Whether the package that a subpath of `reins` re-exports is installed. */
function isInstalled(subpath: string, folders: ReadonlyMap<string, string>): boolean {
  const name = /^\.\/(language|recipes)\b/.exec(subpath)?.[1];
  return name === undefined || folders.has(`@reins/${name}`);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
