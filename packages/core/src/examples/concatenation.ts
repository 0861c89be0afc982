import { fail } from "../errors.ts";
import type { ExampleSource } from "../example-source.ts";
import { checkIndex } from "./array.ts";

/** Several sources, one after another. `tasks.listMixture` chooses from their parts by weight. */
export function concatExamples<T>(sources: readonly ExampleSource<T>[]): ExampleSource<T> {
  if (sources.length === 0) fail("concatExamples", "there are no sources. Pass at least one.");
  if (sources.length === 1) return sources[0];
  const name = sources.map((s) => s.name).join(", ");
  const ends: number[] = [];
  for (const { count } of sources) ends.push((ends.at(-1) ?? 0) + count);
  const count = ends[ends.length - 1];
  const at = (index: number) => {
    checkIndex(name, count, index);
    const part = ends.findIndex((end) => index < end);
    return { source: sources[part], own: index - (part ? ends[part - 1] : 0) };
  };
  return {
    name,
    count,
    get digest() {
      return sources.map((s) => s.digest).join("+");
    },
    read(index) {
      const { source, own } = at(index);
      return source.read(own);
    },
    locate(index) {
      const { source, own } = at(index);
      return source.locate(own);
    },
    close() {
      for (const source of sources) source.close?.();
    },
  };
}
