/** Schemas for values of a JSON line, which may hold anything. */
type Check = (x: unknown) => boolean;

/** A string. */
export const isText: Check = (x) => typeof x === "string";
/** A number, or null for one that is not finite. */
export const isNumber: Check = (x) => typeof x === "number" || x === null;
/** A list of values of a schema. */
export const listOf =
  (of: Check): Check =>
  (x) =>
    Array.isArray(x) && x.every(of);
/** A value of a schema, or undefined. */
export const maybe =
  (of: Check): Check =>
  (x) =>
    x === undefined || of(x);
/** A record with these fields, and any others. */
export const recordOf =
  (parts: { readonly [name: string]: Check }): Check =>
  (x) =>
    typeof x === "object" &&
    x !== null &&
    Object.entries(parts).every(([name, is]) => is(Reflect.get(x, name)));
/** A record of numbers by name. */
export const isNumbers: Check = (x) =>
  typeof x === "object" && x !== null && Object.values(x).every(isNumber);
