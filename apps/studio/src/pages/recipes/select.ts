import type { RecipeLine } from "@reins/studio/wire";
import { allStates } from "../../recipes/states.ts";

/** The sort key of the table; `book` is the order of the book, with measured systems first. */
export type SortKey = "book" | "id" | "state" | "effect" | "seeds";

/** Filter and order of the table, as in the URL. */
export interface Selection {
  readonly words: string;
  readonly state: string;
  /** A level, as in the book. */
  readonly level: string;
  readonly family: string;
  readonly sort: SortKey;
  readonly down: boolean;
  /** Whether all claims are shown, not only the headlines. */
  readonly every: boolean;
}

/** The selection in a URL query. */
export function selectionOf(query: URLSearchParams): Selection {
  const sort = query.get("sort") ?? "book";
  return {
    words: query.get("find") ?? "",
    state: query.get("verdict") ?? "",
    level: query.get("level") ?? "",
    family: query.get("family") ?? "",
    sort: sort.replace("-", "") as SortKey,
    down: sort.startsWith("-"),
    every: query.get("claims") === "all",
  };
}

/** A selection as a URL query, without defaults. */
export function queryOf({
  words,
  state,
  level,
  family,
  sort,
  down,
  every,
}: Selection): Record<string, string> {
  const all = {
    find: words,
    verdict: state,
    level,
    family,
    sort: sort === "book" ? "" : `${down ? "-" : ""}${sort}`,
    claims: every ? "all" : "",
  };
  return Object.fromEntries(Object.entries(all).filter(([, v]) => v !== ""));
}

/** Whether a line contains all words and has the level and the family. */
export function matches(line: RecipeLine, { words, level, family }: Selection): boolean {
  if (family && !line.family.includes(family)) return false;
  if (level && line.level !== level) return false;
  const claims = (line.measured?.claims ?? []).map((c) => c.text);
  const text = [line.id, line.title, ...line.family, ...claims].join(" ").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Whether a line has a state. */
export const stands = (line: RecipeLine, state: string): boolean =>
  state === "" || line.state === state || (state === "measured" && line.measured !== undefined);

/** Sorts lines; those without a value come last in both directions. */
export function byColumn(key: SortKey, down: boolean): (a: RecipeLine, b: RecipeLine) => number {
  const of = (line: RecipeLine): string | number | undefined => {
    if (key === "book") return line.measured ? 0 : line.state === "to write" ? 2 : 1;
    if (key === "state") return allStates.indexOf(line.state);
    if (key === "seeds") return line.measured?.seeds;
    if (key === "id") return line.id;
    const { estimate, middle = 0, size } = line.measured?.claims[0].effect ?? {};
    return typeof estimate === "number" && typeof size === "number" ? (estimate - middle) / size : undefined;
  };
  return (a, b) => {
    const [x, y] = [of(a), of(b)];
    if (x === undefined || y === undefined) return (x === undefined ? 1 : 0) - (y === undefined ? 1 : 0);
    return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
  };
}
