import { formerName } from "@reins/tensor";

// Names of version 0.1 that were renamed or moved. Using one throws an error that has the name now.

/** @deprecated Use `armsOf` of `reins/recipes`. */
export const sidesOf: never = /* @__PURE__ */ formerName("reins/recipes", "sidesOf", "armsOf");
