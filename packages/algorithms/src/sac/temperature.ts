import { type Given, type Live, setting, size } from "@reins/core";
import { real, type Tensor } from "@reins/tensor";

/** The options about what entropy is worth. */
export const temperatureRows = (
  usual: { readonly temperature?: number; readonly rate?: number; readonly entropy?: number } = {},
) => ({
  automatic: size(true, "Find the temperature that holds the target entropy, beginning with `temperature`."),
  temperature: setting(
    usual.temperature ?? 1,
    "Worth of entropy against reward. Higher explores more (0.01 to 1; the first one if automatic).",
    { within: "nonnegative" },
  ),
  temperatureRate: setting(usual.rate ?? 1e-3, "Automatic: how fast the temperature moves (3e-4 to 1e-3).", {
    within: "nonnegative",
  }),
  targetEntropy: setting(
    usual.entropy ?? -1,
    "Automatic, continuous actions: entropy to hold in each dimension. Higher stays more random (-2 to 0).",
    { within: "any" },
  ),
});

/** The same for discrete actions. */
export const targetShare = setting(
  0.89,
  "Automatic, discrete actions: entropy to hold, as a share of the largest. Higher stays more random (0.2 to 0.98).",
  { within: "share" },
);

/** What is told about the temperature; `targetShare` where there may be choices. */
export type TemperatureOptions = Given<ReturnType<typeof temperatureRows>> & { readonly targetShare?: Live };

/** The entropy that is held: a share of the largest there is, or so much in each dimension. */
export function goalEntropy(o: TemperatureOptions, choices: number | undefined, dimensions: number): Tensor {
  return choices && o.targetShare
    ? o.targetShare.tensor.mul(real.log(choices))
    : o.targetEntropy.tensor.mul(dimensions);
}
