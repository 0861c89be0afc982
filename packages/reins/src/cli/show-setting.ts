import { formOf } from "@reins/core/settings";

type Fields = { readonly [name: string]: unknown };

/** Formats a setting so that `parseSetting` reads it back, and other values as their flags: `64,64`, `tanh`. */
export function showSetting(value: unknown): string {
  if (Array.isArray(value)) return value.length ? value.map(showSetting).join(",") : "[]";
  if (typeof value !== "object" || value === null) return String(value);
  if ("function" in value) return "(a function)";
  if (!("signal" in value)) return JSON.stringify(value);
  const { signal, ...fields } = value as { signal: string } & Fields;
  if (signal === "column") return "(a function)";
  if (signal === "piecewise")
    return `piecewise(${(fields.points as number[][]).map(([x, y]) => `${x}:${y}`).join(", ")})`;
  const { takes, ordered } = formOf("setting", signal);
  const given = takes.filter((name) => fields[name] !== undefined);
  return `${signal}(${given.map((name) => (ordered ? inner(fields[name]) : `${name}=${inner(fields[name])}`)).join(", ")})`;
}

const inner = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(showSetting).join(", ")}]` : showSetting(value);
