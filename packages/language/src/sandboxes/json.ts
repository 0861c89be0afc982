/** What JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The value of a JSON text; undefined if it is none, or says a key twice and so two things at once. */
export function parsed(text: string): Json | undefined {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // Of a valid text, the strings before a colon are its keys.
  const said = [...text.matchAll(/"(?:[^"\\]|\\.)*"([ \t\r\n]*:)?/g)].filter((m) => m[1]).length;
  return said === keys(value) ? value : undefined;
}

/** How many keys there are at any depth. A loop, since texts may be thousands of brackets deep. */
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

/** Whether two values are the same, whatever the order of keys. As deep as the shallower one. */
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

/** A text that is the same for the same value, whatever the order of keys. */
export function written(value: Json): string {
  // Numbers too large for a double are infinite, which JSON cannot say; there are two zeros and they are equal.
  if (typeof value === "number") return `${value === 0 ? 0 : value}`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join()}]`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((k) => `${JSON.stringify(k)}:${written(value[k])}`).join()}}`;
}
