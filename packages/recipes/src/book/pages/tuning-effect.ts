import { effectSize, kindOf, simplesOf } from "../../claims/claim.ts";
import { pairsOf } from "../../claims/effects.ts";
import { mean } from "../../claims/table.ts";
import { samePoint } from "../../grid.ts";
import { median } from "../record.ts";
import type { Result } from "../result.ts";
import type { TuningRecord } from "../tuning.ts";

/** The headline effect on tuning seeds, in units of Δ, for two forms of the baseline. */
export interface TuningEffect {
  /** Against the median point of the baseline's grid. */
  readonly untuned: number;
  /** Against the baseline's best point. */
  readonly tuned: number;
}

type Tuned = Pick<Result, "system" | "baselines" | "best" | "metrics" | "tuned" | "claims" | "tuning">;

/**
 * What tuning the baseline changes. The system is always at its best point. Undefined if the headline is not about the tuned metric, is a
 * negative result, or the baseline has fewer than three points.
 */
export function tuningEffect(result: Tuned): TuningEffect | undefined {
  const metric = result.tuned ?? Object.keys(result.metrics)[0];
  const claim = simplesOf(result.claims[0]).find(
    (c) => (kindOf(c) === "difference" || c.kind === "ratio") && c.metric === metric,
  );
  if (!claim || ("direction" in claim && claim.direction !== undefined)) return undefined;
  const contrast = ("contrast" in claim && claim.contrast) || ([result.system, "best"] as const);
  const pairs = pairsOf(contrast, metric, result);
  const recordOf = (side: string) => result.tuning.find((t) => t.side === side);
  const system = recordOf(pairs[0][0]);
  const others = pairs.flatMap(([, side]) => recordOf(side) ?? []).filter((t) => t.points.length >= 3);
  if (!system || others.length < pairs.length) return undefined;
  const sign = result.metrics[metric].better === "higher" ? 1 : -1;
  const scale = (x: number) => (claim.kind === "ratio" ? Math.log(x) : x);
  const gain = (value: (t: TuningRecord) => number) =>
    Math.min(...others.map((o) => (sign * (scale(best(system)) - scale(value(o)))) / effectSize(claim)!));
  return { untuned: gain(middle), tuned: gain(best) };
}

const best = ({ points, chosen }: TuningRecord): number =>
  mean(points.find((p) => samePoint(p.settings, chosen))?.values ?? []);

const middle = ({ points }: TuningRecord): number => median(points.map((p) => mean(p.values)));
