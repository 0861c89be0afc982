import { formerName } from "@reins/tensor";

// Names of version 0.1 that were renamed or moved. Using one throws an error that has the name now.

/** @deprecated Use `gradientBandit` of `reins/algorithms`. */
export const gradientBandit: never = /* @__PURE__ */ formerName(
  "reins",
  "gradientBandit",
  "gradientBandit of reins/algorithms",
);
/** @deprecated Use `penaltyPpo` of `reins/algorithms`. */
export const penaltyPpo: never = /* @__PURE__ */ formerName(
  "reins",
  "penaltyPpo",
  "penaltyPpo of reins/algorithms",
);
