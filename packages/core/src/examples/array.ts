import { fail } from "../errors.ts";
import type { ExampleSource } from "../example-source.ts";
import { textHash } from "./text-hash.ts";

/** Settings of {@link exampleArray}. */
export interface ExampleArrayOptions {
  /** Name in messages (default `examples`). */
  readonly name?: string;
}

/** Examples that are in memory. Their digest is a hash of their JSON. */
export function exampleArray<T>(items: readonly T[], options: ExampleArrayOptions = {}): ExampleSource<T> {
  const { name = "examples" } = options;
  const locate = (index: number) => `${name}, example ${index + 1}`;
  let digest: string | undefined;
  return {
    name,
    count: items.length,
    get digest() {
      return (digest ??= items
        .reduce<number>((h, item) => textHash(`${h} ${JSON.stringify(item)}`), items.length)
        .toString(16));
    },
    read: (index) => items[checkIndex(name, items.length, index)],
    locate,
  };
}

/** Throws if the index is out of range. */
export function checkIndex(name: string, count: number, index: number): number {
  if (Number.isInteger(index) && index >= 0 && index < count) return index;
  return fail(
    name,
    count
      ? `index ${index} is out of range. Use 0 to ${count - 1}.`
      : "there are no examples. Add at least one.",
  );
}
