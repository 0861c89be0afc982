/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The value of a JSON text; undefined if it is invalid or has a duplicate key. */
export function parsed(text: string): Json | undefined {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // In a valid text, the strings before a colon are the keys.
  const said = [...text.matchAll(/"(?:[^"\\]|\\.)*"([ \t\r\n]*:)?/g)].filter((m) => m[1]).length;
  return said === keys(value) ? value : undefined;
}

/** The number of keys at any depth. Iterative, since texts may be nested thousands of levels deep. */
function keys(value: Json): number {
  const open = [value];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (!Array.isArray(next)) count += Object.keys(next).length;
    for (const inner of Object.values(next)) open.push(inner);
  }
  return count;
}

/** Whether two values are equal, ignoring the order of keys. Recurses as deep as the shallower value. */
export function same(a: Json, b: Json): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.keys(a), Object.keys(b)];
  return (
    left.length === right.length &&
    left.every(
      (k) => Object.hasOwn(b, k) && same((a as Record<string, Json>)[k], (b as Record<string, Json>)[k]),
    )
  );
}

/** Canonical text of a value, independent of the order of keys. */
export function written(value: Json): string {
  // Numbers too large for a double are infinite, which JSON lacks; the two zeros are equal.
  if (typeof value === "number") return `${value === 0 ? 0 : value}`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join()}]`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((k) => `${JSON.stringify(k)}:${written(value[k])}`).join()}}`;
}
