import type { EnvSpec } from "@reins/core";

/** A description with another time limit; Infinity means none. */
export function limited({ maxSteps: usual, ...rest }: EnvSpec, maxSteps = usual): EnvSpec {
  return maxSteps === undefined || maxSteps === Number.POSITIVE_INFINITY ? rest : { ...rest, maxSteps };
}
