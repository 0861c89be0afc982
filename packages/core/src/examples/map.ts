import type { ExampleSource } from "../example-source.ts";

/** The same examples in another form. `form` is applied whenever one is read; `at` is its location, for errors. */
export function mapExamples<T, U>(
  source: ExampleSource<T>,
  form: (example: T, at: string, index: number) => U,
): ExampleSource<U> {
  return {
    name: source.name,
    count: source.count,
    get digest() {
      return source.digest;
    },
    read: (index) => form(source.read(index), source.locate(index), index),
    locate: (index) => source.locate(index),
    ...(source.close ? { close: () => source.close?.() } : {}),
  };
}
