import type { Value } from "@reins/core";

/** A deep copy of a value. */
export function copyValue(value: unknown): Value {
  if (ArrayBuffer.isView(value)) return (value as Float32Array).slice();
  if (Array.isArray(value)) return value.map(copyValue);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copyValue(part)]));
  return value as Value;
}

/** Whether two values hold equal numbers; NaN equals NaN, and the array type does not matter. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  const [x, y] = [a as Record<string, unknown>, b as Record<string, unknown>];
  if ("length" in x || "length" in y) {
    if (x.length !== y.length) return false;
    for (let i = 0; i < (x.length as number); i++) if (!sameValue(x[i], y[i])) return false;
    return true;
  }
  const names = Object.keys(x);
  return names.length === Object.keys(y).length && names.every((name) => sameValue(x[name], y[name]));
}

/** A short text form of a value. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value, (_, part) => {
    if (ArrayBuffer.isView(part)) return Array.from(part as Float32Array, short);
    if (typeof part === "number") return short(part);
    return part === undefined ? "undefined" : part;
  });
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function short(x: number): number | string {
  return Number.isFinite(x) ? Number(x.toPrecision(6)) : String(x);
}
