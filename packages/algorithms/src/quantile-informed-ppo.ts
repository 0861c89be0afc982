import type { AlgorithmContext } from "@reins/core";
import type { OnPolicyParts } from "@reins/core/loops";
import { remembering } from "./memory-actor-critic.ts";
import type { PpoSettings } from "./ppo.ts";
import { quantileCritic } from "./q/quantile-critic.ts";
import { type QuantileReplayOptions, quantileReplay } from "./q/quantile-replay.ts";

/** Settings of a quantile-informed critic in an on-policy method. */
export interface QuantileInformedPpoOptions
  extends Omit<QuantileReplayOptions, "gamma" | "learningRate" | "clipNorm" | "moved"> {
  /**
   * How the quantile network is trained: from a replay buffer of recent rounds (`replay`), by the critic's own
   * error, which makes it a larger critic (`critic`), or not at all, with random quantiles (`none`).
   */
  readonly trainedBy?: "replay" | "critic" | "none";
}

/**
 * The parts of PPO with a quantile-informed critic (Jeon et al., "PG-Rainbow", 2024). Quantiles are learned with
 * PPO's own learning rate, discount and maximum gradient norm.
 *
 * ppo.with("pg-rainbow", { parts: (_, o, context) => quantileInformedPpo(o, context, { hidden: [32] }) });
 */
export function quantileInformedPpo(
  o: PpoSettings,
  { spec }: AlgorithmContext,
  { trainedBy = "replay", ...how }: QuantileInformedPpoOptions,
): Pick<OnPolicyParts, "policy" | "beside"> {
  const policyOf = (streams: number) => remembering(spec, { ...o, streams });
  const policy = quantileCritic(spec, policyOf, { ...how, moved: trainedBy === "critic" });
  if (trainedBy !== "replay") return { policy: policy as unknown as OnPolicyParts["policy"] };
  const { learningRate, clipNorm } = o;
  return {
    policy: policy as unknown as OnPolicyParts["policy"],
    beside: (round) =>
      quantileReplay({ ...how, learningRate, clipNorm, gamma: o.gamma.for(undefined) }, round),
  };
}
