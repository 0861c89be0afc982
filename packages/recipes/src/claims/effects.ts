import { fail } from "@reins/core";
import type { Metric } from "../outcome.ts";
import type { Claim, Contrast, JointClaim } from "./claim.ts";
import { column, columnOfRest, mean, type Table } from "./table.ts";

/** The arms and metrics behind the names in a claim. */
export interface Roles {
  readonly system: string;
  readonly baselines: readonly string[];
  /** The best baseline in tuning, by metric: `best` in a contrast. */
  readonly best?: { readonly [metric: string]: string };
  readonly metrics: { readonly [name: string]: Metric };
  /** The metric that arms are tuned on, if not the first. */
  readonly tuned?: string;
}

/** Numbers per replicate for one interval; positive ones support the claim. */
export interface Sample {
  /** The compared arms, if a claim compares several. */
  readonly label: string;
  readonly effects: readonly number[];
  /** The other value of each replicate, for correlations. */
  readonly with?: readonly number[];
  /** The one or two arms it is about, and the metric of the second. */
  readonly sides: readonly string[];
  readonly metric?: string;
}

/** The pairs of arms of a contrast. The best baseline depends on the metric. */
export function pairsOf([first, second]: Contrast, metric: string, cast: Roles): Contrast[] {
  if (second === "each") return cast.baselines.map((b) => [first, b]);
  const other = second === "best" ? (cast.best?.[metric] ?? cast.baselines[0]) : second;
  if (other === undefined)
    fail(first, "there is no baseline to compare it with. Add baselines to the recipe.");
  return [[first, other]];
}

/** The numbers of a claim, by replicate. */
export function samplesOf(claim: Exclude<Claim, JointClaim>, cast: Roles, table: Table): Sample[] {
  const contrast: Contrast = ("contrast" in claim && claim.contrast) || [cast.system, "best"];
  const [of, other] = [("of" in claim && claim.of) || cast.system].flat();
  const sign = (metric: string, direction = metricOf(cast, metric).better) =>
    direction === "higher" ? 1 : -1;
  const differences = (a: readonly number[], b: readonly number[], s: number) =>
    a.map((x, i) => s * (x - b[i]));
  const between = (metric: string, [a, b]: Contrast): Sample => ({
    label: `${a} and ${b}`,
    effects: differences(column(table, a, metric), column(table, b, metric), sign(metric)),
    sides: [a, b],
    metric,
  });
  switch (claim.kind) {
    case undefined:
    case "difference":
    case "ratio":
    case "no-worse": {
      const [first, second] = typeof claim.metric === "string" ? [claim.metric, claim.metric] : claim.metric;
      const towards = sign(first, "direction" in claim ? claim.direction : undefined);
      return pairsOf(contrast, second, cast).map(([a, b]) => {
        const [x, y] = [column(table, a, first), column(table, b, second)];
        const sample = { label: `${a} and ${b}`, sides: [a, b], metric: second };
        if (claim.kind !== "ratio") return { ...sample, effects: differences(x, y, towards) };
        const bad = [...x, ...y].find((v) => !(v > 0));
        if (bad !== undefined) fail(`${a} and ${b}`, `a ratio needs values above 0, but one is ${bad}.`);
        return { ...sample, effects: differences(x.map(Math.log), y.map(Math.log), towards) };
      });
    }
    case "time-to-reach":
      return pairsOf(contrast, claim.metric, cast).map((pair) => between(claim.metric, pair));
    case "interaction": {
      const [here, there] = claim.metric;
      return pairsOf(contrast, here, cast).map((pair) => ({
        label: `${pair[0]} and ${pair[1]}`,
        effects: differences(between(here, pair).effects, between(there, pair).effects, 1),
        sides: pair,
      }));
    }
    case "ordering":
      return claim.sides.slice(1).map((worse, i) => between(claim.metric, [claim.sides[i], worse]));
    case "equivalent":
      return claim.sides.flatMap((a, i) =>
        claim.sides.slice(i + 1).map((b) => between(claim.metric, [a, b])),
      );
    case "equals":
    case "at-most":
    case "at-least":
      return [{ label: of, sides: [of], effects: column(table, of, claim.metric) }];
    case "holds":
      return [
        { label: of, sides: [of], effects: column(table, of, claim.metric).map((v) => claim.tolerance - v) },
      ];
    case "correlation": {
      const [a, b] = claim.metric;
      const towards = claim.direction === "lower" ? -1 : 1;
      return [
        {
          label: of,
          sides: other && other !== of ? [of, other] : [of],
          effects: column(table, of, a).map((v) => towards * v),
          with: column(table, other ?? of, b),
        },
      ];
    }
  }
}

/** The metric of a name. */
export function metricOf({ metrics }: Roles, name: string): Metric {
  return (
    metrics[name] ??
    fail(`metric ${name}`, `the recipe has ${Object.keys(metrics).join(", ")}. Use one of these.`)
  );
}

/**
 * The possible gain over an arm, in the claim's unit: from its mean to the best possible value. Undefined if that is unknown.
 */
export function roomOver(
  side: string,
  metric: string,
  isRatio: boolean,
  towards: "better" | "worse",
  cast: Roles,
  table: Table,
) {
  const { best, worst, better } = metricOf(cast, metric);
  const values = column(table, side, metric);
  const bound = towards === "worse" ? worst : best;
  if (bound === "open") return undefined;
  const bounds = typeof bound === "string" ? columnOfRest(table, side, bound) : values.map(() => bound);
  const sign = (better === "higher") === (towards === "better") ? 1 : -1;
  if (isRatio)
    return mean(values.map((v, i) => (bounds[i] <= 0 ? Number.MAX_VALUE : sign * Math.log(bounds[i] / v))));
  return mean(values.map((v, i) => sign * (bounds[i] - v)));
}
