import type { Context, OnPolicyParts } from "@reins/core";
import type { PpoSettings } from "./ppo.ts";
import { quantileCritic } from "./q/quantile-critic.ts";
import { type ReplayedQuantilesOptions, replayedQuantiles } from "./q/replayed-quantiles.ts";
import { remembering } from "./remembering.ts";

/** How the critic of an on-policy method is informed by quantiles. */
export interface QuantileInformedOptions
  extends Omit<ReplayedQuantilesOptions, "gamma" | "learningRate" | "clipNorm" | "moved"> {
  /**
   * Who teaches the network of quantiles: steps of this round and of those before (`replay`), the critic's own error, for which it is
   * just more weights (`critic`), or nobody, so that the critic is told what chance made of observations (`nobody`).
   */
  readonly taught?: "replay" | "critic" | "nobody";
}

/**
 * The parts of PPO with a critic that is told quantiles of returns (Jeon et al., "PG-Rainbow", 2024). These are learned with PPO's own
 * learning rate, discount and longest gradient.
 *
 *     ppo.with("pg-rainbow", { parts: (_, o, context) => quantileInformed(o, context, { hidden: [32] }) });
 */
export function quantileInformed(
  o: PpoSettings,
  { spec }: Context,
  { taught = "replay", ...how }: QuantileInformedOptions,
): Pick<OnPolicyParts, "policy" | "beside"> {
  const policyOf = (streams: number) => remembering(spec, { ...o, streams });
  const policy = quantileCritic(spec, policyOf, { ...how, moved: taught === "critic" });
  if (taught !== "replay") return { policy: policy as unknown as OnPolicyParts["policy"] };
  const { learningRate, clipNorm } = o;
  return {
    policy: policy as unknown as OnPolicyParts["policy"],
    beside: (round) =>
      replayedQuantiles({ ...how, learningRate, clipNorm, gamma: o.gamma.for(undefined) }, round),
  };
}
