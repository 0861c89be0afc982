import { formerName } from "@reins/tensor";

// Names of version 0.1 that were renamed or moved. Using one throws an error that has the name now.

/** @deprecated Use `optimalGuesses` of `reins/envs`. */
export const fewestGuesses: never = /* @__PURE__ */ formerName(
  "reins/envs",
  "fewestGuesses",
  "optimalGuesses",
);
/** @deprecated Use `tabularEnv` of `reins/envs`. */
export const fromTable: never = /* @__PURE__ */ formerName("reins/envs", "fromTable", "tabularEnv");
/** @deprecated Use `generateWords` of `reins/envs`. */
export const inventWords: never = /* @__PURE__ */ formerName("reins/envs", "inventWords", "generateWords");
/** @deprecated Use `evictionCandidate` of `reins/envs`. */
export const leastOf: never = /* @__PURE__ */ formerName("reins/envs", "leastOf", "evictionCandidate");
/** @deprecated Use `wordleFeedback` of `reins/envs`. */
export const marks: never = /* @__PURE__ */ formerName("reins/envs", "marks", "wordleFeedback");
/** @deprecated Use `bestSplitPolicy` of `reins/envs`. */
export const splitting: never = /* @__PURE__ */ formerName("reins/envs", "splitting", "bestSplitPolicy");
