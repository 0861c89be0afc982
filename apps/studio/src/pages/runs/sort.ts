import { type RunGroup, valueIn } from "./groups.ts";

const byName = new Intl.Collator("en", { numeric: true });

/** Compares two rows by a field. Rows without a value come last in both directions. */
export function byField(key: string, down: boolean): (a: RunGroup, b: RunGroup) => number {
  const sign = down ? -1 : 1;
  return (a, b) => {
    const [x, y] = [valueIn(a, key), valueIn(b, key)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    const order =
      typeof x === "number" && typeof y === "number" ? x - y : byName.compare(String(x), String(y));
    return sign * order || byName.compare(a.runs[0].name, b.runs[0].name);
  };
}
