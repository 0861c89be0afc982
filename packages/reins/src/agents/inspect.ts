/**
 * Sets what `console.log` prints for an object in Node, instead of pages of functions and weights. The object is
 * otherwise unchanged.
 */
export function inspectAs<T extends object>(object: T, shown: (of: T) => object): T {
  return Object.defineProperty(object, Symbol.for("nodejs.util.inspect.custom"), {
    value: () => shown(object),
  });
}
