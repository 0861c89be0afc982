/** The parts of an option that an editor shows. */
export interface OptionRow {
  readonly about: string;
  readonly default?: unknown;
}

/** The options of each exported algorithm of a module, by export name. */
export type OptionTables = Readonly<Record<string, Readonly<Record<string, OptionRow>>>>;

/** The option tables of a module: an algorithm maker is a function with a definition. */
export function tablesOf(module: object): OptionTables {
  const found = Object.entries(module).flatMap(([name, value]) => {
    const options = typeof value === "function" ? (value as Maker).definition?.options : undefined;
    return options ? [[name, options] as const] : [];
  });
  return Object.fromEntries(found);
}
interface Maker {
  readonly definition?: { readonly options?: Readonly<Record<string, OptionRow>> };
}

/**
 * Declarations with the text of each algorithm option as a comment. The compiler writes types of options without comments, and
 * sources have the texts as data, for the command line. Comments stay on the line of their option, so that declaration maps
 * remain valid. Idempotent.
 */
export function explained(declarations: string, tables: OptionTables): string {
  let table: Readonly<Record<string, OptionRow>> | undefined;
  const lines = declarations.split("\n").map((line) => {
    const begun = /^export declare const (\w+): import\("@reins\/core"\)\.AlgorithmMaker<\{$/.exec(line);
    if (begun) table = tables[begun[1]];
    else if (line === "}>;") table = undefined;
    const option = table && /^ {4}(?:\/\*\*.*?\*\/ )?(\w+)(\??: .*)$/.exec(line);
    const row = option && table && Object.hasOwn(table, option[1]) ? table[option[1]] : undefined;
    return option && row ? `    /** ${words(row)} */ ${option[1]}${option[2]}` : line;
  });
  return lines.join("\n");
}

const words = ({ about, default: value }: OptionRow): string => {
  const usual = shown(value);
  return `${about}${usual === undefined ? "" : ` Default: ${usual}.`}`
    .replaceAll("*/", "*\\/")
    .replace(/\s+/g, " ");
};

/** A default as source text; undefined if there is none or it would be long. */
function shown(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (value === undefined || typeof value === "function") return undefined;
  const text = JSON.stringify(value);
  return text !== undefined && text.length <= 80 ? text : undefined;
}
