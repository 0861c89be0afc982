import { joined, split } from "../../route.ts";

/** Filter, columns and order of the list. The URL stores them, so that a view can be bookmarked and shared. */
export interface RunsView {
  readonly find: string;
  readonly columns: readonly string[];
  /** Whether runs that differ only in the seed share a row. */
  readonly grouped: boolean;
  readonly sort: { readonly key: string; readonly down: boolean };
}

/** The default columns. */
export const usualColumns: readonly string[] = [
  "state",
  "algorithm",
  "env",
  "seed",
  "return",
  "steps",
  "created",
  "curve",
];

/** The view in a URL query. By default the newest runs come first. */
export function viewIn(query: URLSearchParams): RunsView {
  const columns = query.get("columns");
  const sort = query.get("sort") ?? "";
  const key = sort.replace(/^-/, "");
  return {
    find: query.get("find") ?? "",
    columns: columns === null ? usualColumns : [...new Set(split(columns))],
    grouped: query.get("group") !== "none",
    sort: key === "" ? { key: "created", down: true } : { key, down: sort.startsWith("-") },
  };
}

/** A view as a URL query, without defaults. */
export function queryOf({ find, columns, grouped, sort }: RunsView): Record<string, string> {
  return {
    ...(find === "" ? {} : { find }),
    ...(columns.join() === usualColumns.join() ? {} : { columns: joined(columns) }),
    ...(grouped ? {} : { group: "none" }),
    ...(sort.key === "created" && sort.down ? {} : { sort: `${sort.down ? "-" : ""}${sort.key}` }),
  };
}
