import { formerName } from "./former-name.ts";

// Names of version 0.1 that were renamed or moved. Using one throws an error that has the name now.

/** @deprecated Use `currentBackend` of `reins/tensor`. */
export const backendInUse: never = /* @__PURE__ */ formerName(
  "reins/tensor",
  "backendInUse",
  "currentBackend",
);
/** @deprecated Use `prefixView` of `reins/tensor`. */
export const front: never = /* @__PURE__ */ formerName("reins/tensor", "front", "prefixView");
/** @deprecated Use `matchLeaves` of `reins/tensor`. */
export const leavesLike: never = /* @__PURE__ */ formerName("reins/tensor", "leavesLike", "matchLeaves");
/** @deprecated Use `unflattenTree` of `reins/tensor`. */
export const rebuild: never = /* @__PURE__ */ formerName("reins/tensor", "rebuild", "unflattenTree");
