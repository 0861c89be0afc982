import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** An import or re-export of a file: which names, and from where. Names map to those in the file, or to the whole file. */
interface Link {
  readonly from: string;
  readonly names?: ReadonlyMap<string, string | undefined>;
  readonly exported: boolean;
}

// Clauses contain no quotes, equals signs or parentheses, so the search stops there instead of backtracking.
const links = /(?:^|\n)\s*(import|export)\s+(?!type\b)([^"'=();]*?)\s*from\s*"([^"]+)"/g;
const plain = /(?:^|\n)\s*import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/g;

/** All files whose code a module runs, itself first: its imports within this workspace, by name through index files. */
export function sourcesOf(module: string): string[] {
  const entry = sourceFile(module);
  const root = rootOf(entry);
  const found = new Set<string>();
  const asked = new Set<string>();
  visit(entry);
  return [...found];

  function visit(file: string, name?: string): void {
    const key = `${file} ${name ?? "*"}`;
    if (asked.has(key)) return;
    asked.add(key);
    const text = readFileSync(file, "utf8");
    const all = linksOf(text);
    // A file of re-exports has no code of its own: only the requested name counts.
    if (name !== undefined && isIndex(text)) {
      const named = all.find((l) => l.names?.has(name));
      if (named) return follow(file, named.from, named.names!.get(name));
      for (const l of all.filter((l) => !l.names))
        if (offers(file, l.from, name)) return follow(file, l.from, name);
      return;
    }
    found.add(file);
    for (const l of all) {
      if (l.names) for (const original of l.names.values()) follow(file, l.from, original);
      else follow(file, l.from);
    }
  }

  function follow(from: string, specifier: string, name?: string): void {
    const file = resolveFrom(from, specifier, root);
    if (file) visit(file, name);
  }

  function offers(from: string, specifier: string, name: string): boolean {
    const file = resolveFrom(from, specifier, root);
    if (!file) return false;
    const text = readFileSync(file, "utf8");
    if (
      new RegExp(
        `export\\s+(?:abstract\\s+|async\\s+)?(?:const|let|function\\*?|class|enum)\\s+${name}\\b`,
      ).test(text)
    )
      return true;
    return linksOf(text).some(
      (l) => l.exported && (l.names ? l.names.has(name) : offers(file, l.from, name)),
    );
  }
}

/** A digest of all code that a module runs. */
export function codeHash(module: string): string {
  const hash = createHash("sha256");
  const root = rootOf(sourceFile(module));
  for (const file of sourcesOf(module).sort())
    hash.update(`${relative(root, file)}\0${readFileSync(file, "utf8")}\0`);
  return hash.digest("hex").slice(0, 16);
}

function linksOf(text: string): Link[] {
  const found: Link[] = [];
  for (const [, keyword, what, from] of text.matchAll(links)) {
    const braces = /\{([^}]*)\}/.exec(what)?.[1];
    const exported = keyword === "export";
    const whole = /^\*\s+as\s+(\w+)$/.exec(what)?.[1];
    if (braces === undefined) {
      found.push({ from, exported, ...(whole && { names: new Map([[whole, undefined]]) }) });
      continue;
    }
    const names = new Map<string, string | undefined>();
    for (const part of braces.split(",").map((p) => p.trim())) {
      if (!part || part.startsWith("type ")) continue;
      const [original, alias = original] = part.split(/\s+as\s+/);
      names.set(exported ? alias : original, original);
    }
    if (names.size) found.push({ from, names, exported });
  }
  for (const [, a, b] of text.matchAll(plain)) found.push({ from: a ?? b, exported: false });
  return found;
}

const isIndex = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "")
    .replace(/export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*"[^"]+"\s*;?/g, "")
    .trim() === "";

/** The TypeScript source of a module's URL; built files are in `dist`. */
function sourceFile(module: string): string {
  const path = module.startsWith("file:") ? fileURLToPath(module) : resolve(module);
  if (path.endsWith(".ts")) return path;
  const parts = path.replace(/\.js$/, ".ts").split("/dist/");
  const [inside, beside] = [parts.join("/src/"), parts.join("/")];
  return existsSync(inside) ? inside : beside;
}

/** The workspace's folder: the nearest one that contains `packages`. */
export function rootOf(file: string): string {
  let at = dirname(file);
  while (!existsSync(join(at, "packages")) && dirname(at) !== at) at = dirname(at);
  return at;
}

/** Resolves a subpath import such as `#native`: the back end is part of the code. */
function ownFile(file: string, name: string, root: string): string | undefined {
  const [, folder] = /^(.*\/packages\/[\w-]+)\//.exec(file) ?? [];
  if (!folder?.startsWith(root)) return undefined;
  const { imports = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    imports?: Record<string, { source?: string }>;
  };
  const source = imports[name]?.source;
  return source && join(folder, source);
}

/** The file of an import; undefined outside of this workspace. */
function resolveFrom(file: string, specifier: string, root: string): string | undefined {
  if (specifier.startsWith(".")) {
    const path = join(dirname(file), specifier);
    return existsSync(path) && path.endsWith(".ts") ? path : undefined;
  }
  if (specifier.startsWith("#")) return ownFile(file, specifier, root);
  const [, name, sub = ""] = /^(?:@reins\/)?([\w-]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (!name || !/^(@reins\/|reins(\/|$))/.test(specifier)) return undefined;
  const folder = join(root, "packages", name);
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) return undefined;
  const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as {
    exports: Record<string, { source?: string }>;
  };
  const source = exports[sub ? `./${sub}` : "."]?.source;
  return source && join(folder, source);
}
