/** What values of a line of JSON must be: a file may hold anything. */
type Check = (x: unknown) => boolean;

/** A text. */
export const isText: Check = (x) => typeof x === "string";
/** A number, or null for one that is not finite. */
export const isNumber: Check = (x) => typeof x === "number" || x === null;
/** A list of such values. */
export const listOf =
  (of: Check): Check =>
  (x) =>
    Array.isArray(x) && x.every(of);
/** Such a value, or nothing. */
export const maybe =
  (of: Check): Check =>
  (x) =>
    x === undefined || of(x);
/** A record with such values by these names, and others. */
export const recordOf =
  (parts: { readonly [name: string]: Check }): Check =>
  (x) =>
    typeof x === "object" &&
    x !== null &&
    Object.entries(parts).every(([name, is]) => is(Reflect.get(x, name)));
/** A record of numbers by name. */
export const isNumbers: Check = (x) =>
  typeof x === "object" && x !== null && Object.values(x).every(isNumber);
