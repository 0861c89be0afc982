import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { entries, exportsOf, isFormer } from "./testing-exports.ts";

/** One violation of a wording rule. */
export interface Offence {
  readonly file: string;
  readonly line: number;
  /** The offending text and what to write instead. */
  readonly message: string;
}

/** The root of the workspace. */
export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Phrases that are refused in code and docs, each with a replacement. */
export const phrases: readonly (readonly [RegExp, string])[] = [
  [/\bnobody\b/i, 'name the process, caller or user, or write "not …"'],
  [/\bsomebody\b/i, "name the process, caller or user"],
  [/\bwhoever\b/i, "name the caller, reader or process"],
  [/(?<!\bthere) is no (?!longer|better|t\b)/i, 'write "is not a …"'],
  [/\bso many\b/, 'give the count, or write "this many" as a noun: "`count` rows"'],
  [/\bin the place of\b/, 'write "instead of"'],
  [/\bthat there are\b/, 'write "existing" or "available"'],
  [/\bof one's own\b/, 'write "custom" or "your own"'],
  [/\bunless it says\b/, 'write "(default …)"'],
  [/\bmay be told\b/, 'name the option: "accepts …"'],
  [/\bbehind the back\b/, "say which state changes, and when"],
];

/** Adverbs, adjectives and participles without a common ending that are refused as names of files and folders. */
const vagueNames: ReadonlySet<string> = new Set(
  `abreast absent apart beside drawn elsewhere far found heard held instead kept made many ours paid seen shipped shown
  speaking spelled still taught teaching telling told together wary within written wrong`.split(/\s+/),
);

/** Nouns, names of published systems and the field's terms that end like participles. A result names `recipes/shared/reallocated.ts`. */
const accepted: ReadonlySet<string> = new Set(
  `batching bed blocking binding caching cascading counting decoding drawing driving editing embedding ending federated
  finding foraging grouping guessing halving indexing landing learning listing mapping mirrored-sampling model-based
  nesting networking nothing ordering protected-nondominated packing pooling averaging cashing jamming jumping reading reallocated
  reasoning recording rendering rescaling ring sampling scaling screening serving setting shared smoothing sorting
  speed spelling stopping string dred testbed testing timing tracking training tuning ued unrolling waiting walking wording
  wrapping`.split(/\s+/),
);

/** Whether the name of a file or folder is a participle or another word that does not say what it holds. */
export function isVagueName(name: string): boolean {
  const last = name.split("-").at(-1)!;
  return (
    vagueNames.has(name) ||
    vagueNames.has(last) ||
    (/(ed|ing)$/.test(last) && !accepted.has(last) && !accepted.has(name))
  );
}

const skipped = new Set(["dist", "node_modules", ".content", ".cache", "docs/api"]);
/** The rules themselves. */
const own = /\/(wording\.test|testing-wording)\.ts$/;
const readable = /\.(ts|tsx|js|mjs|py|css|html|md)$/;

function filesIn(path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) || skipped.has(inner) ? [] : filesIn(inner);
    return readable.test(inner) && !own.test(inner) ? [inner] : [];
  });
}

/** All sources and pages that the rules read. */
export function sources(): string[] {
  const packages = readdirSync(join(root, "packages")).map((name) => join("packages", name));
  const readmes = packages
    .map((path) => join(path, "README.md"))
    .filter((path) => existsSync(join(root, path)));
  const folders = [
    ...packages.map((path) => join(path, "src")),
    ...["apps/studio", "recipes", "docs", "examples", "site"],
  ];
  const pages = readdirSync(root).filter((name) => name.endsWith(".md"));
  return [...folders.flatMap(filesIn), ...filesIn(".github"), ...readmes, ...pages].sort();
}

function linesOf(file: string): string[] {
  return readFileSync(join(root, file), "utf8").split("\n");
}

/** Refused phrases in a text. */
export function refusedPhrases(text: string): string[] {
  return phrases.flatMap(([pattern, advice]) => {
    const { source, flags } = pattern;
    return [...text.matchAll(new RegExp(source, `${flags}g`))].map((m) => `"${m[0].trim()}": ${advice}`);
  });
}

/** Refused phrases in sources and pages. */
export function phraseOffences(files: readonly string[] = sources()): Offence[] {
  return files.flatMap((file) =>
    linesOf(file).flatMap((text, i) =>
      refusedPhrases(text).map((message) => ({ file, line: i + 1, message })),
    ),
  );
}

/** Files and folders whose name does not say what they hold. */
export function fileNameOffences(files: readonly string[] = sources()): Offence[] {
  const paths = new Set<string>();
  for (const file of files.filter((f) => /\.tsx?$/.test(f))) {
    const parts = file.split("/");
    for (let end = 1; end < parts.length; end++)
      if (isVagueName(parts[end - 1])) paths.add(parts.slice(0, end).join("/"));
    if (isVagueName(basename(file).replace(/(\.(test|parts))?\.tsx?$/, ""))) paths.add(file);
  }
  return [...paths].map((path) => ({
    file: path,
    line: 1,
    message: `rename ${basename(path)}: use a noun for what it holds (a noun in -ing: add it to the accepted ones)`,
  }));
}

/** Types that two packages declare under one name. */
export function typeNameOffences(): Offence[] {
  const declared = new Map<string, Map<string, { readonly file: string; readonly line: number }>>();
  for (const { source } of entries)
    for (const { name, file, line } of exportsOf(source).filter((e) => !isFormer(e)))
      if (/^[A-Z]\w*[a-z]/.test(name))
        declared.set(name, (declared.get(name) ?? new Map()).set(file.split("/")[1], { file, line }));
  return [...declared].flatMap(([name, packages]) =>
    [...packages].slice(1).map(([, at]) => ({
      ...at,
      message: `${name} is exported by ${[...packages.keys()].join(" and ")}: rename one`,
    })),
  );
}

/** Longest line of a Markdown page, in characters. */
export const longestLine = 110;

/** Numbers of the lines of a Markdown text that should wrap: not in tables, code blocks, links or HTML. */
export function longLines(text: string): number[] {
  let fenced = false;
  return text.split("\n").flatMap((line, i) => {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    if (fenced || /^\s*(\||<|```|~~~|\[[^\]]+\]:)/.test(line) || /^(?: {4}|\t)\s*[^-*\s\d]/.test(line))
      return [];
    const shown = line.replace(/\]\([^)]*\)/g, "]").replace(/https?:\/\/\S+/g, "");
    return shown.length > longestLine ? [i + 1] : [];
  });
}

/** Markdown lines that should wrap. Pages of algorithms are generated and do not. */
export function longLineOffences(files: readonly string[] = sources()): Offence[] {
  return files
    .filter((file) => file.endsWith(".md") && !file.startsWith("docs/algorithms/"))
    .flatMap((file) =>
      longLines(readFileSync(join(root, file), "utf8")).map((line) => ({
        file,
        line,
        message: `longer than ${longestLine} characters: wrap at about 100`,
      })),
    );
}
