/** Converts a value for JSON: NaN and infinities become strings, functions are dropped, and nesting ends at twenty levels. */
export function jsonSafe(value: unknown, depth = 20): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value !== "object" || depth === 0) return undefined;
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>, (x) => jsonSafe(x));
  if (Array.isArray(value)) return value.map((x) => jsonSafe(x, depth - 1) ?? null);
  const entries = Object.entries(value).map(([name, x]) => [name, jsonSafe(x, depth - 1)] as const);
  return Object.fromEntries(entries.filter(([, x]) => x !== undefined));
}
