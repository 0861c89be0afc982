export { type ExampleArrayOptions, exampleArray } from "./array.ts";
export { concatExamples } from "./concatenation.ts";
export { mapExamples } from "./map.ts";
export { type ExampleSplit, exampleSubset, type SplitOptions, splitExamples } from "./subset.ts";
export { textHash } from "./text-hash.ts";
