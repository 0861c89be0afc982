import { printable } from "./printable.ts";
import { synonyms } from "./synonyms.ts";

/** An error that a user can act on: what was expected, what was found, and what to do. */
export class ReinsError extends Error {
  override name = "ReinsError";

  constructor(message: string, options?: ErrorOptions) {
    // A message quotes file contents and is printed to terminals.
    super(printable(message), options);
  }
}

/** Data on disk that is not as it was written. An earlier checkpoint may still be intact. */
export class DamagedDataError extends ReinsError {}

/** Throws a {@link ReinsError}: the subject, then what went wrong and what to do. */
export function fail(what: string, message: string): never {
  throw new ReinsError(`${what}: ${message}`);
}

/** The names nearest to a mistyped one, best first; none if nothing is near, because a wrong suggestion is worse than none. */
export function closestNames(name: string, names: Iterable<string>, most = 3): string[] {
  const wanted = plain(name);
  const all = [...names].map((n) => ({ n, d: distance(wanted, plain(n)), whole: distance(name, n) }));
  // Only the spelling differs, or it is a known synonym.
  const same = all.filter(({ d }) => d === 0);
  if (same.length) return same.map(({ n }) => n);
  const meant = Object.hasOwn(synonyms, wanted) ? synonyms[wanted].map(plain) : [];
  const here = all.filter(({ n }) => meant.includes(plain(n)));
  if (here.length) return here.map(({ n }) => n);
  const limit = wanted.length < 2 ? 0 : Math.max(1, Math.round(wanted.length / 3));
  return all
    .filter(({ n, d }) => d <= limit || isBeginning(wanted, plain(n)) || isBeginning(plain(n), wanted))
    .sort((a, b) => a.d - b.d || a.whole - b.whole)
    .slice(0, most)
    .map(({ n }) => n);
}

/** How names are compared: `learning_rate`, `--learning-rate` and `learningRate` are equal. Versions are ignored; all names share them. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/-v\d+$/, "")
    .replace(/[_-]/g, "");

/** Whether two names differ in spelling only: `learning-rate`, `--learning-rate` and `learningRate`. */
export const isSameName = (a: string, b: string): boolean => plain(a) === plain(b);

/** Whether a name starts with another that is long enough to be meaningful. */
const isBeginning = (short: string, long: string): boolean => short.length > 2 && long.startsWith(short);

/** " Did you mean X or Y?", or an empty string. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const near = closestNames(name, names);
  return near.length ? ` Did you mean ${near.join(" or ")}?` : "";
}

/** Throws if `given` is not an object or has unknown names. */
export function checkKeys(what: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    fail(what, `options are given by name, as in { ${known[0]}: … }; this is ${describeValue(given)}.`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  failUnknown(what, unknown, known);
}

/** Throws for an unknown option: with the options that were probably meant, or with all of them. */
export function failUnknown(what: string, unknown: string, known: readonly string[]): never {
  const meant = didYouMean(unknown, known) || ` Options: ${known.join(", ")}.`;
  return fail(what, `there is no option ${unknown}.${meant}`);
}

/** A short form of a user's value for error messages. */
export function describeValue(value: unknown): string {
  if (typeof value === "function") return `the function ${value.name || "without a name"}`;
  if (typeof value === "number" || typeof value === "bigint" || value === undefined) return String(value);
  try {
    // JSON has neither NaN nor infinities.
    const text = JSON.stringify(value, (_, x) =>
      typeof x === "number" && !Number.isFinite(x) ? String(x) : x,
    );
    return text.length > 60 ? `${text.slice(0, 59)}…` : text;
  } catch {
    return `a ${typeof value}`;
  }
}

/** Damerau-Levenshtein distance: insertions, deletions, replacements and swaps that turn `a` into `b`. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  for (let j = 1; j <= b.length; j++) rows[0][j] = j;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  return rows[a.length][b.length];
}
