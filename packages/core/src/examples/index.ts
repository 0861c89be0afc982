export { type ExampleArrayOptions, exampleArray } from "./array.ts";
export { concatExamples } from "./concatenation.ts";
export { exampleFault } from "./fault.ts";
export { mapExamples } from "./map.ts";
export {
  type ExampleSplit,
  exampleSubset,
  type KeySplitOptions,
  type SplitOptions,
  splitByKeys,
  splitExamples,
} from "./subset.ts";
export { textHash } from "./text-hash.ts";
