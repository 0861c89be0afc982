import { type ResolvedOptions, setting, size } from "@reins/core";
import type { LiveValue } from "@reins/core/settings";
import { real, type Tensor } from "@reins/tensor";

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

/** The target entropy: a fraction of the maximum, or a value per dimension. */
export function targetEntropyOf(
  o: TemperatureOptions,
  choices: number | undefined,
  dimensions: number,
): Tensor {
  return choices && o.targetShare
    ? o.targetShare.tensor.mul(real.log(choices))
    : o.targetEntropy.tensor.mul(dimensions);
}
