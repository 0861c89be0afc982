import { type ResolvedOptions, setting, size } from "@reins/core";
import type { LiveValue } from "@reins/core/settings";

/** Options of the auxiliary phase. */
export const auxiliaryRows = {
  cloneWeight: setting(
    1,
    "Auxiliary phase: weight of the KL penalty that keeps the policy. Higher changes the policy less (0.3 to 3).",
    { per: "token", within: "nonnegative" },
  ),
  auxiliaryRate: setting(
    5e-4,
    "Auxiliary phase: learning rate. Higher learns faster until it diverges (1e-4 to 3e-3).",
    { within: "nonnegative" },
  ),
  auxiliaryEvery: size(
    32,
    "Policy-phase rounds between auxiliary phases. More disturbs the policy less often (8 to 64).",
    { within: "count" },
  ),
  auxiliaryEpochs: size(
    6,
    "Auxiliary phase: epochs over all steps since the last one. More learns more from them (3 to 9).",
    { within: "count" },
  ),
  auxiliaryMinibatches: size(
    16,
    "Auxiliary phase: minibatches per epoch. More gives more, noisier updates (4 to 64).",
    {
      within: "count",
    },
  ),
};

/** Settings of the auxiliary phase. */
export type AuxiliaryPhaseOptions = ResolvedOptions<typeof auxiliaryRows> & {
  readonly envs: number;
  readonly steps: number;
  readonly clipNorm: LiveValue;
};
