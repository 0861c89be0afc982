import type { Discrete, List, Space } from "../space.ts";
import { checkNumbers } from "./bounds.ts";
import { checkGraph } from "./graph.ts";
import { isArray, kindOf } from "./numbers.ts";
import { number, show } from "./show.ts";

/** How strictly to check. */
export interface CheckOptions {
  /** Whether numbers of a box must lie between its bounds (default true); they must be finite in any case. */
  readonly bounds?: boolean;
}

/** Ignores bounds, but checks shapes, types, choices and NaN. */
export const unbounded: CheckOptions = { bounds: false };

/** Whether a value belongs to a space. */
export function contains(space: Space, value: unknown): boolean {
  return check(space, value) === undefined;
}

/**
 * Describes what is wrong with a value; undefined if it is valid. `name` is its name in messages: "action", "observation".
 * Allocates nothing for valid values.
 */
export function check(
  space: Space,
  value: unknown,
  name = "value",
  options?: CheckOptions,
): string | undefined {
  switch (space.kind) {
    case "discrete": {
      const k = typeof value === "number" ? value - space.start : -1;
      if (k >= 0 && k < space.n && Number.isInteger(k)) return;
      const what = typeof value === "number" ? ` ${number(value)}` : `, ${kindOf(value)},`;
      return `${name}${what} is outside ${show(space)}. ${plural(name)} are ${range(space)}.`;
    }
    case "text":
      if (typeof value !== "string") return `${name} is ${kindOf(value)}; ${show(space)} needs a string.`;
      if (value.length <= space.maxLength) return;
      return `${name} has ${value.length} characters; ${show(space)} allows at most ${space.maxLength}.`;
    case "content":
      return checkContent(space.parts, value, name);
    case "list":
      return checkList(space, value, name, options);
    case "graph":
      return checkGraph(space, value, name);
    case "dict":
      if (typeof value !== "object" || value === null || isArray(value))
        return `${name} is ${kindOf(value)}; ${show(space)} needs a record.`;
      for (const part in space.spaces) {
        const inner = (value as Record<string, unknown>)[part];
        if (inner === undefined) return `${name} is ${kindOf(value)}; ${show(space)} needs "${part}" too.`;
        const fault = check(space.spaces[part], inner, part, options);
        if (fault) return `${name}.${fault}`;
      }
      return;
    case "tuple":
      if (!isArray(value) || value.length !== space.spaces.length)
        return `${name} is ${kindOf(value)}; ${show(space)} needs an array of ${space.spaces.length}.`;
      for (let i = 0; i < space.spaces.length; i++) {
        const fault = check(space.spaces[i], value[i], "part", options);
        if (fault) return `${name}[${i}]: ${fault}`;
      }
      return;
    default:
      return checkNumbers(space, value, name, options?.bounds ?? true);
  }
}

function checkList(space: List, value: unknown, name: string, options?: CheckOptions): string | undefined {
  if (!isArray(value) || value.length > space.max)
    return `${name} is ${kindOf(value)}; ${show(space)} needs an array of at most ${space.max}.`;
  for (let i = 0; i < value.length; i++) {
    const fault = check(space.item, value[i], "item", options);
    if (fault) return `${name}[${i}]: ${fault}`;
  }
  return;
}

function checkContent(parts: readonly Space[], value: unknown, name: string): string | undefined {
  if (!Array.isArray(value))
    return `${name} is ${kindOf(value)}; content must be an array of texts and arrays.`;
  for (let i = 0; i < value.length; i++)
    if (typeof value[i] !== "string" && !parts.some((part) => contains(part, value[i])))
      return `${name}[${i}] is ${kindOf(value[i])}: neither text nor one of ${parts.map(show).join(", ") || "no other parts"}.`;
  return;
}

function range({ n, start }: Discrete): string {
  const last = start + n - 1;
  if (n > 4) return `whole numbers from ${start} to ${last}`;
  const all = Array.from({ length: n }, (_, i) => start + i);
  return n === 1 ? String(start) : `${all.slice(0, -1).join(", ")} or ${last}`;
}

function plural(name: string): string {
  return `${name[0]?.toUpperCase() ?? ""}${name.slice(1)}s`;
}
