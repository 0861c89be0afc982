import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** An exported name and its declaration. Names of a namespace have its name and a dot before them. */
export interface Exported {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** Whether it exists at run time, or is only a type. */
  readonly value: boolean;
  /** Its comment, without stars; undefined if there is none. */
  readonly comment: string | undefined;
}

/** Whether a name is one of a former version, which only throws. */
export const isFormer = ({ file }: Exported): boolean => file.endsWith("/src/former-names.ts");

/** An entry point of a published package. */
export interface Entry {
  /** Import specifier: `@reins/core/directory`. */
  readonly specifier: string;
  readonly source: string;
}

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** All entry points of published packages. */
export const entries: readonly Entry[] = readdirSync(join(root, "packages")).flatMap((folder) => {
  const manifest = join(root, "packages", folder, "package.json");
  if (!existsSync(manifest)) return [];
  const { name, exports = {} } = JSON.parse(readFileSync(manifest, "utf8")) as {
    readonly name: string;
    readonly exports?: { readonly [subpath: string]: { readonly source: string } };
  };
  return Object.entries(exports).map(([subpath, { source }]) => ({
    specifier: name + subpath.slice(1),
    source: join("packages", folder, source),
  }));
});

/** Resolves an import to a source of the workspace; undefined for other packages. */
function place(file: string, from: string): string | undefined {
  if (from.startsWith(".")) return join(dirname(file), from);
  return entries.find((e) => e.specifier === from)?.source;
}

/** Declarations at the beginning of a line; the formatter puts each there. */
const declared =
  /^(export\s+)?(?:declare\s+|async\s+|abstract\s+)*(?:(function\*?|class|interface|type|enum|const|let)\s+([\w$]+)|const\s+\{([^}]*)\})/gm;
const passedOn = /^export\s+(type\s+)?(?:\{([^}]*)\}|\*(?:\s+as\s+([\w$]+))?)(?:\s+from\s+"([^"]+)")?;/gm;
const imported = /^import\s+(type\s+)?\{([^}]*)\}\s+from\s+"([^"]+)";/gm;

interface Listed {
  readonly from: string;
  readonly as: string;
  readonly type: boolean;
}

/** Parses `a, type b as c`. */
function listed(names: string): Listed[] {
  return [...names.matchAll(/(type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?/g)].map((m) => ({
    type: m[1] !== undefined,
    from: m[2],
    as: m[3] ?? m[2],
  }));
}

const found = new Map<string, readonly Exported[]>();

/** Exports of a source, from its text and the files that it re-exports. */
export function exportsOf(file: string): readonly Exported[] {
  const known = found.get(file);
  if (known) return known;
  const text = readFileSync(resolve(root, file), "utf8");
  const out = new Map<string, Exported>();
  const add = (one: Exported) => {
    const before = out.get(one.name);
    // Overloads, and types with a value of the same name, share one comment.
    out.set(one.name, {
      ...(before ?? one),
      value: one.value || (before?.value ?? false),
      comment: before?.comment ?? one.comment,
    });
  };
  const own = declarations(file, text);
  for (const [one, isExported] of own) if (isExported) add(one);
  for (const { index, 1: allTypes, 2: names, 3: namespace, 4: from } of text.matchAll(passedOn)) {
    const source = from === undefined ? undefined : place(file, from);
    if (from !== undefined && source === undefined) continue;
    if (names === undefined) {
      for (const one of exportsOf(source!))
        add(namespace ? { ...one, name: `${namespace}.${one.name}` } : one);
      const comment = commentBefore(text, index);
      if (namespace) add({ name: namespace, file, line: lineAt(text, index), value: true, comment });
      continue;
    }
    for (const { from: name, as, type } of listed(names)) {
      const one = source ? exportsOf(source).find((e) => e.name === name) : named(file, text, name);
      if (one) add({ ...one, name: as, value: one.value && !type && !allTypes });
    }
  }
  found.set(file, [...out.values()]);
  return found.get(file)!;
}

/** Declarations of a file, each with whether it is exported there. */
function declarations(file: string, text: string): (readonly [Exported, boolean])[] {
  return [...text.matchAll(declared)].flatMap((m) => {
    const [, exported, kind, name, parts] = m;
    const line = lineAt(text, m.index);
    const value = kind !== "interface" && kind !== "type";
    const comment = commentBefore(text, m.index);
    const names =
      name === undefined ? listed(parts.replace(/(\w+): (\w+)/g, "$1 as $2")).map((l) => l.as) : [name];
    return names.map((n) => [{ name: n, file, line, value, comment }, exported !== undefined] as const);
  });
}

/** The declaration of a name in a file: its own or an imported one. */
function named(file: string, text: string, name: string): Exported | undefined {
  const own = declarations(file, text).find(([one]) => one.name === name);
  if (own) return own[0];
  for (const [, , names, from] of text.matchAll(imported)) {
    const taken = listed(names).find((l) => l.as === name);
    const source = taken && place(file, from);
    if (source) return exportsOf(source).find((e) => e.name === taken.from);
  }
  return undefined;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** The comment that ends where a statement begins. */
function commentBefore(text: string, end: number): string | undefined {
  const before = text.slice(0, end).trimEnd();
  if (!before.endsWith("*/")) return undefined;
  const begin = before.lastIndexOf("/*");
  if (!before.startsWith("/**", begin)) return undefined;
  return before
    .slice(begin + 3, -2)
    .replace(/^\s*\* ?/gm, "")
    .trim();
}
