import { formerName } from "@reins/tensor";

// Names of version 0.1 that were renamed or moved. Using one throws an error that has the name now.

/** @deprecated Use `unstackMember` of `reins/nn`. */
export const memberOf: never = /* @__PURE__ */ formerName("reins/nn", "memberOf", "unstackMember");
/** @deprecated Use `positionIds` of `reins/nn`. */
export const positionsFrom: never = /* @__PURE__ */ formerName("reins/nn", "positionsFrom", "positionIds");
/** @deprecated Use `stackRecurrent` of `reins/nn`. */
export const stacked: never = /* @__PURE__ */ formerName("reins/nn", "stacked", "stackRecurrent");
/** @deprecated Use `cacheMask` of `reins/nn`. */
export const visible: never = /* @__PURE__ */ formerName("reins/nn", "visible", "cacheMask");
