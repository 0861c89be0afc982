/**
 * All of `@reins/tensor`, unpublished parts included, from the same files: an import by the package's name is another copy in Node. The path
 * leads to the build, with the same relative location from `src` and `dist`; tests use the sources instead, as everywhere (`vitest.config.ts`).
 */
export * from "../../tensor/dist/index.js";
export {
  Generator,
  type Interposed,
  interpose,
  type Operand,
  specialFloats,
} from "../../tensor/dist/testing/index.js";
