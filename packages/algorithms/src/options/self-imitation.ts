import { setting, size } from "@reins/core";

/** Options of self-imitation. */
export const selfImitationRows = {
  selfImitation: size(
    0,
    "Self-imitation: updates after each round on past steps whose return exceeded the critic's value (Oh et al., 2018); 0: none. More learns faster from rare successes and converges sooner (1 to 10).",
    { within: "whole" },
  ),
  imitationBatch: size(
    256,
    "Self-imitation: minibatch size in steps. More is steadier and costs more (64 to 512).",
    {
      within: "count",
    },
  ),
  imitationCapacity: size(
    50_000,
    "Self-imitation: replay buffer size in steps of whole episodes. More keeps older episodes and takes more memory (10⁴ to 10⁵).",
    { within: "count" },
  ),
  imitationWeight: setting(
    1,
    "Self-imitation: weight of the policy loss. Higher repeats successes sooner (0.1 to 1).",
    { within: "nonnegative", needs: "selfImitation" },
  ),
  imitationValueWeight: setting(
    0.01,
    "Self-imitation: weight of the value loss on steps with a higher return. Higher raises values sooner (0.001 to 0.1).",
    { within: "nonnegative", needs: "selfImitation" },
  ),
};
