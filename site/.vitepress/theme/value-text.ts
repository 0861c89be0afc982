/** A value as `console.log` shows it: strings as they are, arrays and plain objects as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return value.message;
  if (typeof value !== "object" || value === null) return String(value);
  if (ArrayBuffer.isView(value)) return `[${Array.from(value as Float32Array).join(", ")}]`;
  const named = String(value);
  if (named !== "[object Object]" && !Array.isArray(value)) return named;
  try {
    return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}n` : part)) ?? named;
  } catch {
    return named;
  }
}
