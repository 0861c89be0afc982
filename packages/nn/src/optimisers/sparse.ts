import { eq, treeMap, where } from "@reins/tensor";
import type { Optimiser } from "./optimiser.ts";

/** Another optimiser by which entries of matrices that are 0 stay so: what was pruned does not grow again. */
export function sparse(optimiser: Optimiser): Optimiser {
  return {
    init: (params) => optimiser.init(params),
    update(gradients, state, params, settings) {
      const moved = optimiser.update(gradients, state, params, settings);
      const kept = treeMap((p, now) => (p.rank > 1 ? where(eq(p, 0), 0, now) : now), params, moved.params);
      return { ...moved, params: kept };
    },
  };
}
