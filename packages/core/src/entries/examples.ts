/** `@reins/core/examples`: recorded examples from files and arrays: reading, splitting, combining. */
export type { ExampleSource } from "../example-source.ts";
export * from "../examples/index.ts";
