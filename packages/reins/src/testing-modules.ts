import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reply } from "./testing-browser.ts";

/** A file, or files by condition. */
type Targets = string | { readonly [condition: string]: Targets };
interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: { readonly [subpath: string]: Targets };
  readonly imports?: { readonly [name: string]: Targets };
  readonly dependencies?: { readonly [name: string]: string };
}

/** As browsers read it: where each name leads, and where it leads in the files under some path. */
export interface ImportMap {
  readonly imports: { readonly [specifier: string]: string };
  readonly scopes: { readonly [under: string]: { readonly [specifier: string]: string } };
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;

/** The file that a browser takes. */
function chosen(targets: Targets): string {
  if (typeof targets === "string") return targets;
  const condition = Object.keys(targets).find((c) => ["browser", "import", "default"].includes(c));
  return chosen(targets[condition!]);
}

/** Paths of a package's builds, by what is imported. */
function exportsOf(folder: string): [string, string][] {
  const { name, exports = {} } = manifestOf(folder);
  return Object.entries(exports).map(([subpath, targets]) => [
    name + subpath.slice(1),
    `/${join(folder, chosen(targets))}`,
  ]);
}

/** The import map of all that is published, and of what it depends on, made from the manifests: what a bundler would find. */
export function importMap(): ImportMap {
  const folders = readdirSync(join(root, "packages"))
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(join(root, folder, "package.json")) && !manifestOf(folder).private);
  const others = folders.flatMap((folder) => Object.keys(manifestOf(folder).dependencies ?? {}));
  const foreign = [...new Set(others)].filter((name) => !/^@?reins(\/|$)/.test(name));
  return {
    imports: Object.fromEntries(
      [...folders, ...foreign.map((name) => `node_modules/${name}`)].flatMap(exportsOf),
    ),
    // Each package has a `#node` or `#native` of its own.
    scopes: Object.fromEntries(
      folders.map((folder) => [
        `/${folder}/`,
        Object.fromEntries(
          Object.entries(manifestOf(folder).imports ?? {}).map(([name, targets]) => [
            name,
            `/${join(folder, chosen(targets))}`,
          ]),
        ),
      ]),
    ),
  };
}

/** Where a name in a file leads, by the map. */
export function follow({ imports, scopes }: ImportMap, file: string, specifier: string): string | undefined {
  const scope = Object.keys(scopes).find((under) => file.startsWith(under));
  return (scope && scopes[scope][specifier]) ?? imports[specifier];
}

/** A build as it lies on the disk. Only what the map leads to, and what lies beside it, is there. */
export function moduleAt(path: string): Reply | undefined {
  if (!/^\/(packages\/\w+\/dist|node_modules)\/.*\.m?js$/.test(path) || path.includes("..")) return undefined;
  return existsSync(root + path)
    ? { type: "text/javascript", text: readFileSync(root + path, "utf8") }
    : undefined;
}

/** A build whose imports are paths under `prefix`: for workers, which have no import map. */
export function rewritten(map: ImportMap, path: string, prefix: string): Reply | undefined {
  const found = moduleAt(path);
  return found && { ...found, text: withPaths(map, path, found.text, prefix) };
}

/** A module's text with paths in place of names. */
export function withPaths(map: ImportMap, path: string, text: string, prefix: string): string {
  return text.replace(
    /^((?:import|export)\b[^"'()]*?|.*\bimport\()"([^"\n]+)"/gm,
    (all, before: string, specifier: string) => {
      const to = follow(map, path, specifier);
      return to ? `${before}"${prefix}${to}"` : all;
    },
  );
}
