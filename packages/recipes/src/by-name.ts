/** A record with one named number per item. */
export function byName<T>(
  things: readonly T[],
  name: (thing: T, index: number) => string,
  value: (thing: T, index: number) => number,
): { [name: string]: number } {
  return Object.fromEntries(things.map((thing, i) => [name(thing, i), value(thing, i)]));
}
