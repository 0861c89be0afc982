/** Plain data that determines a run: equal data, equal runs. */
export type ArmContent =
  | string
  | number
  | boolean
  | null
  | readonly ArmContent[]
  | { readonly [name: string]: ArmContent };

/**
 * The canonical form of data: names in order, no undefined values, and numbers that JSON lacks as words. Undefined
 * if it contains a function or an object with state, whose behaviour is not determined by data.
 */
export function plainContent(data: unknown): ArmContent | undefined {
  if (data === null || typeof data === "string" || typeof data === "boolean") return data;
  if (typeof data === "number")
    return Number.isFinite(data) && !Object.is(data, -0)
      ? data
      : `number ${Object.is(data, -0) ? "-0" : data}`;
  if (Array.isArray(data)) {
    const all = data.map(plainContent);
    return all.every((x) => x !== undefined) ? all : undefined;
  }
  if (typeof data !== "object" || Object.getPrototypeOf(data) !== Object.prototype) return undefined;
  const given = Object.entries(data)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const values = plainContent(given.map(([, value]) => value)) as readonly ArmContent[] | undefined;
  return values && Object.fromEntries(given.map(([name], i) => [name, values[i]]));
}
