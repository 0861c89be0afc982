import { bodiesTuned } from "./bodies.ts";
import { offPolicyTuned } from "./off-policy.ts";
import { onPolicyTuned } from "./on-policy.ts";
import { searchTuned } from "./search.ts";
import type { Tuned, TunedTable } from "./table.ts";
import { tabularTuned } from "./tabular.ts";
import { worldsTuned } from "./worlds.ts";

export type { Tuned, TunedTable } from "./table.ts";

/** Every tuned setting, in one table. */
export const tuned: TunedTable = {
  ...onPolicyTuned,
  ...offPolicyTuned,
  ...bodiesTuned,
  ...worldsTuned,
  ...searchTuned,
  ...tabularTuned,
};

/** Settings found for an algorithm on an environment, if any were. */
export function tunedFor(algorithm: string, env: string): Tuned | undefined {
  return tuned[`${algorithm}/${env}`];
}
