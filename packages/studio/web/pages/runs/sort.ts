import type { RunLine } from "../../../src/wire.ts";

const keys = ["name", "state", "return", "steps", "stepsPerSecond", "seconds", "created"] as const;

/** What the list can be sorted by. */
export type SortKey = (typeof keys)[number];

/** How the list is sorted, as an address says it: `-steps` has the most first. The newest come first where it says nothing. */
export function sortIn(text: string | null): { readonly key: SortKey; readonly down: boolean } {
  const key = keys.find((k) => k === text?.replace(/^-/, ""));
  return key ? { key, down: text!.startsWith("-") } : { key: "created", down: true };
}

const byName = new Intl.Collator("en", { numeric: true });

/** Compares two runs. What is not known comes last, either way. */
export function byColumn(key: SortKey, down: boolean): (a: RunLine, b: RunLine) => number {
  const sign = down ? -1 : 1;
  const of = (run: RunLine) => (key === "return" ? (run.fresh ?? run.return) : run[key]);
  return (a, b) => {
    const [x, y] = [of(a), of(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    const order = typeof x === "number" ? x - (y as number) : byName.compare(x, y as string);
    return sign * order || byName.compare(a.name, b.name);
  };
}
