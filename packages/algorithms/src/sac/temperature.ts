import { type ResolvedOptions, setting, size } from "@reins/core";
import type { LiveValue } from "@reins/core/settings";
import { log, mean, real, sum, type Tensor, where } from "@reins/tensor";

/** Options of the entropy temperature. */
export const temperatureRows = (
  usual: { readonly temperature?: number; readonly rate?: number; readonly entropy?: number } = {},
) => ({
  automatic: size(true, "Adapt the temperature to reach the target entropy, starting from `temperature`."),
  temperature: setting(
    usual.temperature ?? 1,
    "Weight of entropy against reward. Higher explores more (0.01 to 1; the initial value if automatic).",
    { within: "nonnegative" },
  ),
  temperatureRate: setting(
    usual.rate ?? 1e-3,
    "Automatic: learning rate of the temperature (3e-4 to 1e-3).",
    {
      within: "nonnegative",
    },
  ),
  targetEntropy: setting(
    usual.entropy ?? -1,
    "Automatic, continuous actions: target entropy per dimension. Higher stays more random (-2 to 0).",
    { within: "any" },
  ),
});

/** Target entropy for discrete actions. */
export const targetShare = setting(
  0.89,
  "Automatic, discrete actions: target entropy as a fraction of the maximum. Higher stays more random (0.2 to 0.98).",
  { within: "share" },
);

/** Temperature settings; `targetShare` for discrete actions. */
export type TemperatureOptions = ResolvedOptions<ReturnType<typeof temperatureRows>> & {
  readonly targetShare?: LiveValue;
};

/** The actions of a policy: this many choices, some of which may be masked, or this many dimensions. */
export interface ActionCount {
  readonly choices: number | undefined;
  readonly dimensions: number;
  /** Allowed choices, [rows, choices]. */
  readonly mask?: Tensor | undefined;
}

/**
 * The target entropy: a fraction of the maximum, or a value per dimension. With masks, the maximum is the mean over the states, whose
 * uniform distributions over the allowed choices have less entropy: a target above it would raise the temperature forever.
 */
export function targetEntropyOf(o: TemperatureOptions, { choices, dimensions, mask }: ActionCount): Tensor {
  if (!choices || !o.targetShare) return o.targetEntropy.tensor.mul(dimensions);
  const most = mask ? mean(log(sum(where(mask, 1, 0), -1))) : real.log(choices);
  return o.targetShare.tensor.mul(most);
}
