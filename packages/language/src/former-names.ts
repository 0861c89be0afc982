import { formerName } from "@reins/tensor";

// Names of version 0.1 that were renamed or moved. Using one throws an error that has the name now.

/** @deprecated Use `promptOf` of `reins/language`. */
export const asked: never = /* @__PURE__ */ formerName("reins/language", "asked", "promptOf");
/** @deprecated Use `promptEncoder` of `reins/language`. */
export const asking: never = /* @__PURE__ */ formerName("reins/language", "asking", "promptEncoder");
/** @deprecated Use `byteLevelBpe` of `reins/language`. */
export const bytePairs: never = /* @__PURE__ */ formerName("reins/language", "bytePairs", "byteLevelBpe");
/** @deprecated Use `configFromOptions` of `reins/language`. */
export const configOf: never = /* @__PURE__ */ formerName("reins/language", "configOf", "configFromOptions");
/** @deprecated Use `imagePatches` of `reins/language`. */
export const cutImage: never = /* @__PURE__ */ formerName("reins/language", "cutImage", "imagePatches");
/** @deprecated Use `sampleProblem` of `reins/language`. */
export const draw: never = /* @__PURE__ */ formerName("reins/language", "draw", "sampleProblem");
/** @deprecated Use `textTasks` of `reins/language`. */
export const families: never = /* @__PURE__ */ formerName("reins/language", "families", "textTasks");
/** @deprecated Use `TextGenerator` of `reins/language`. */
export const Generator: never = /* @__PURE__ */ formerName("reins/language", "Generator", "TextGenerator");
/** @deprecated Use `trainBpe` of `reins/language`. */
export const learnPairs: never = /* @__PURE__ */ formerName("reins/language", "learnPairs", "trainBpe");
/** @deprecated Use `mergeModelAdapters` of `reins/language`. */
export const merged: never = /* @__PURE__ */ formerName("reins/language", "merged", "mergeModelAdapters");
/** @deprecated Use `optionsFromConfig` of `reins/language`. */
export const optionsOf: never = /* @__PURE__ */ formerName(
  "reins/language",
  "optionsOf",
  "optionsFromConfig",
);
/** @deprecated Use `patchPositions` of `reins/language`. */
export const patchPlaces: never = /* @__PURE__ */ formerName(
  "reins/language",
  "patchPlaces",
  "patchPositions",
);
/** @deprecated Use `decodingRounds` of `reins/language`. */
export const roundsOf: never = /* @__PURE__ */ formerName("reins/language", "roundsOf", "decodingRounds");
/** @deprecated Use `samplingLogits` of `reins/language`. */
export const shaped: never = /* @__PURE__ */ formerName("reins/language", "shaped", "samplingLogits");
/** @deprecated Use `withSteps` of `reins/language`. */
export const worked: never = /* @__PURE__ */ formerName("reins/language", "worked", "withSteps");
/** @deprecated Use `Generation` of `reins/language`. */
export const Writing: never = /* @__PURE__ */ formerName("reins/language", "Writing", "Generation");
