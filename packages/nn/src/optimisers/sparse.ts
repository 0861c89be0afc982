import { eq, treeMap, where } from "@reins/tensor";
import type { Optimiser } from "./optimiser.ts";

/** Keeps zero entries of matrices at 0 in another optimiser: pruned weights do not grow again. */
export function keepZeros(optimiser: Optimiser): Optimiser {
  return {
    init: (params) => optimiser.init(params),
    update(gradients, state, params, settings) {
      const moved = optimiser.update(gradients, state, params, settings);
      const kept = treeMap((p, now) => (p.rank > 1 ? where(eq(p, 0), 0, now) : now), params, moved.params);
      return { ...moved, params: kept };
    },
  };
}
