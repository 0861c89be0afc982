import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fail } from "@reins/core";

/** A file, or files by condition. */
type Targets = string | { readonly [condition: string]: Targets };
interface Manifest {
  readonly name: string;
  readonly exports?: Targets;
  readonly main?: string;
  readonly imports?: { readonly [name: string]: Targets };
  readonly dependencies?: { readonly [name: string]: string };
  readonly peerDependencies?: { readonly [name: string]: string };
}

/** An installed package: its folder relative to the web root, with slashes, and its package.json. */
export interface Installed {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** An import map: the address of each specifier, globally and per path. */
export interface ImportMap {
  readonly imports: { readonly [specifier: string]: string };
  readonly scopes: { readonly [under: string]: { readonly [specifier: string]: string } };
}

/** `reins`, its dependencies and its installed @reins peers, resolved from the web root. */
export function installedIn(root: string): Installed[] {
  const found = new Map<string, Installed>();
  const visit = (name: string, from: string) => {
    const folder = packageAt(name, from);
    if (folder === undefined || found.has(name)) return folder;
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    found.set(name, { folder: relative(root, folder).split(sep).join("/"), manifest });
    const ours = Object.keys(manifest.peerDependencies ?? {}).filter((peer) => peer.startsWith("@reins/"));
    for (const other of [...Object.keys(manifest.dependencies ?? {}), ...ours]) visit(other, folder);
    return folder;
  };
  if (visit("reins", root) === undefined)
    fail("importmap", `node_modules/reins was not found from ${root}. Run: npm install reins`);
  return [...found.values()];
}

/** Resolves a package from a folder. */
function packageAt(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) return folder;
    if (at === dirname(at)) return undefined;
  }
}

/**
 * The import map of a page that loads `reins` from `node_modules` without a bundler: every public specifier, and for each package its
 * private imports (`#node`, `#native`) in browsers.
 */
export function importMap(packages: readonly Installed[]): ImportMap {
  const path = (folder: string, file: string) => `/${posix.join(folder, file)}`;
  return {
    imports: Object.fromEntries(
      packages.flatMap(({ folder, manifest }) =>
        entriesOf(manifest).map(([subpath, file]) => [manifest.name + subpath.slice(1), path(folder, file)]),
      ),
    ),
    scopes: Object.fromEntries(
      packages
        .filter(({ manifest }) => manifest.imports)
        .map(({ folder, manifest: { imports = {} } }) => [
          `/${folder}/`,
          Object.fromEntries(
            Object.entries(imports).map(([name, targets]) => [name, path(folder, chosen(targets) ?? "")]),
          ),
        ]),
    ),
  };
}

/** The subpaths of a package and their files in browsers. */
export function entriesOf({ exports, main }: Manifest): [subpath: string, file: string][] {
  const subpaths =
    typeof exports === "object" && Object.keys(exports).some((k) => k.startsWith("."))
      ? exports
      : { ".": exports ?? main ?? "index.js" };
  return Object.entries(subpaths).flatMap(([subpath, targets]): [string, string][] => {
    const file = subpath.includes("*") ? undefined : chosen(targets);
    return file?.endsWith("js") ? [[subpath, file]] : [];
  });
}

/** The file for browsers. */
function chosen(targets: Targets): string | undefined {
  if (typeof targets === "string") return targets;
  const condition = Object.keys(targets).find((c) => ["browser", "import", "default"].includes(c));
  return condition === undefined ? undefined : chosen(targets[condition]);
}
