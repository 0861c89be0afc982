import { formerName } from "@reins/tensor";

// Names of version 0.1 that were renamed or moved. Using one throws an error that has the name now.

/** @deprecated Use `groupJudge` of `reins/algorithms`. */
export const judgeOf: never = /* @__PURE__ */ formerName("reins/algorithms", "judgeOf", "groupJudge");
/** @deprecated Use `groupLoss` of `reins/algorithms`. */
export const lossOf: never = /* @__PURE__ */ formerName("reins/algorithms", "lossOf", "groupLoss");
/** @deprecated Use `groupProblems` of `reins/algorithms`. */
export const problemsOf: never = /* @__PURE__ */ formerName(
  "reins/algorithms",
  "problemsOf",
  "groupProblems",
);
/** @deprecated Use `groupSelection` of `reins/algorithms`. */
export const selectionOf: never = /* @__PURE__ */ formerName(
  "reins/algorithms",
  "selectionOf",
  "groupSelection",
);
/** @deprecated Use `episodic` of `reins/core/loops`. */
export const startGroups: never = /* @__PURE__ */ formerName(
  "reins/algorithms",
  "startGroups",
  "episodic of reins/core/loops",
);
