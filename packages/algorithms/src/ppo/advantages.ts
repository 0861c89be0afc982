import { type AlgorithmContext, fail } from "@reins/core";
import type { OnPolicyParts } from "@reins/core/loops";
import * as targets from "@reins/core/targets";
import type { PpoSettings } from "./options.ts";

/** Advantages with one discount factor, or one per head of the critic. */
export function advantagesOf(
  o: PpoSettings,
  { spec }: AlgorithmContext,
  name: string,
): OnPolicyParts["target"] {
  const { discounts, discountWeights: weights, gamma, lambda } = o;
  if (discounts.length === 0) return targets.gae({ gamma, lambda });
  for (const gamma of discounts)
    if (!(gamma >= 0 && gamma <= 1)) fail(name, `discounts contains ${gamma}; each must be from 0 to 1.`);
  const streams = spec.rewards?.length ?? discounts.length;
  if (discounts.length !== streams)
    fail(
      name,
      `${spec.id} has ${streams} rewards (${spec.rewards?.join(", ")}), but ${discounts.length} discounts are given. Give one for each.`,
    );
  if (weights.length > 0 && weights.length !== streams)
    fail(
      name,
      `${weights.length} discountWeights are given for ${streams} discounts. Give one for each, or none.`,
    );
  if (o.selfImitation > 0)
    fail(
      name,
      "selfImitation compares returns with a single value and does not support several discounts. Leave out one of them.",
    );
  return targets.streams({ discounts, lambda, ...(weights.length ? { weights } : {}) });
}
