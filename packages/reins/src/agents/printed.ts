/**
 * Says what `console.log` shows of an object in Node, where all of it would be screens of functions and weights. Nothing else of the object
 * changes.
 */
export function printedAs<T extends object>(object: T, shown: (of: T) => object): T {
  return Object.defineProperty(object, Symbol.for("nodejs.util.inspect.custom"), {
    value: () => shown(object),
  });
}
