import { joined, split } from "../../route.ts";

/** How the list is looked at. All of it is in the address, so that a view can be kept and shared. */
export interface RunsView {
  readonly find: string;
  readonly columns: readonly string[];
  /** Whether runs that differ in the seed alone share a row. */
  readonly grouped: boolean;
  readonly sort: { readonly key: string; readonly down: boolean };
}

/** The columns of a list whose address names none. */
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

/** The view that an address holds. The newest runs come first unless it says otherwise. */
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

/** The address of a view: only what differs from the usual one. */
export function queryOf({ find, columns, grouped, sort }: RunsView): Record<string, string> {
  return {
    ...(find === "" ? {} : { find }),
    ...(columns.join() === usualColumns.join() ? {} : { columns: joined(columns) }),
    ...(grouped ? {} : { group: "none" }),
    ...(sort.key === "created" && sort.down ? {} : { sort: `${sort.down ? "-" : ""}${sort.key}` }),
  };
}
