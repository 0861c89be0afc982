/** `@reins/core/random`: reproducible numbers: NumPy's generators, named streams of seeds, exact trigonometry. */
export { angles } from "../angles.ts";
export * from "../numpy/index.ts";
export { defaultSeed, seedOf, stream } from "../stream.ts";
