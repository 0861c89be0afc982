import type { LossTerm } from "@reins/core";
import * as losses from "@reins/core/losses";
import type { Settings } from "./options.ts";

const { aggregated, clipped, referenceKl, dualClipped, entropy, entropyBand, geometricRatio, detachedClip } =
  losses;
const { minus, policyGradient, sequenceRatio, sum, unclipped, weighted, teacherRatio } = losses;

/** The loss that the settings describe; `longest` is the maximum number of steps of an episode. */
export function groupLoss(o: Settings, longest?: number): LossTerm {
  const high = o.clipHigh.isOff() ? o.clip : o.clipHigh;
  const holds: Record<Settings["ratioBound"], () => losses.Ratio> = {
    clip: () => clipped(o.clip, high),
    dual: () => dualClipped(o.clip, high),
    weight: () => detachedClip(o.clip, high),
    geometric: () => geometricRatio(o.clip, high),
    none: () => unclipped,
  };
  const held = holds[o.ratioBound]();
  const whole = o.ratio === "text" ? sequenceRatio(held) : held;
  const ratio = o.teachers > 0 ? teacherRatio(whole) : whole;
  const correction = o.correction.isOff() ? {} : { most: o.correction };
  return sum(
    aggregated(o.aggregation, policyGradient({ ratio, clip: o.clip, ...correction }), longest),
    minus(o.entropyWeight, entropy()),
    ...(o.bandWeight.isOff() ? [] : [weighted(o.bandWeight, entropyBand(o.bandCentre, o.bandWidth))]),
    ...(!o.klWeight.isOff() && o.klPlace === "loss"
      ? [weighted(o.klWeight, aggregated(o.aggregation, referenceKl(o.kl), longest))]
      : []),
  );
}
