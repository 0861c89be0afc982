/**
 * What fuzzing needs of `@reins/tensor` that is not published. The path leads to the build, whose place is the same from `src` and from
 * `dist`; tests take the sources instead, as everywhere (`vitest.config.ts`).
 */
export {
  Generator,
  type Interposed,
  interpose,
  type Operand,
  specialFloats,
} from "../../tensor/dist/testing/index.js";
