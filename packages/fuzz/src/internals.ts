/**
 * All of `@reins/tensor`, what is not published too, from the same files: what Node gets by the package's name is another copy. The path
 * leads to the build, whose place is the same from `src` and from `dist`; tests take the sources instead, as everywhere (`vitest.config.ts`).
 */
export * from "../../tensor/dist/index.js";
export {
  Generator,
  type Interposed,
  interpose,
  type Operand,
  specialFloats,
} from "../../tensor/dist/testing/index.js";
