import type { Metric } from "../outcome.ts";
import { exactInterval } from "../statistics/exact.ts";
import { bcaInterval, type Interval, tInterval } from "../statistics/interval.ts";
import { rankCorrelation } from "../statistics/ranks.ts";
import { type Claim, type JointClaim, kindOf, type Precondition, simplesOf } from "./claim.ts";
import { metricOf, type Roles, roomOver, type Sample, samplesOf } from "./effects.ts";
import { column, columnOfRest, mean, type Table, withRivals } from "./table.ts";
import { beyond, type ClaimVerdict, classify, closeTo, decided, noWorse, together } from "./verdict.ts";

/** One interval of a claim, and its verdict. */
export interface Part extends Interval {
  readonly label: string;
  /** Index of the part of a joint claim. */
  readonly of?: number;
  readonly verdict: ClaimVerdict;
  /** Why the claim is untestable, or how many runs never reached the level. */
  readonly note?: string;
  /** What keeps the claim open: two points of the grid that tuning cannot distinguish would be judged differently, or too few seeds. */
  readonly open?: "tuning" | "seeds";
}

/** A verdict with its evidence. Effects of ratios are logarithms. */
export interface Judgement extends Part {
  /** All parts, if there are several; the judgement's own numbers are those of the deciding part. */
  readonly parts?: readonly Part[];
}

/** Judges a claim from the measured values. */
export function judge(claim: Claim, cast: Roles, table: Table): Judgement {
  const parts = simplesOf(claim).flatMap((simple, of) =>
    samplesOf(simple, cast, table).map((sample, at): Part => {
      const missing = absent(simple.presupposes, sample.sides[1], cast, table);
      const part = partOf(simple, sample, openInterval(simple, sample, at, cast, table), cast, table);
      const alone = partOf(simple, sample, intervalOf(simple, sample), cast, table);
      return {
        ...part,
        ...(undecided.has(part.verdict) && { open: decided.has(alone.verdict) ? "tuning" : "seeds" }),
        ...(missing && { verdict: "untestable", note: missing }),
        ...(claim.kind === "joint" && { of }),
      };
    }),
  );
  const verdict = together(parts.map((p) => p.verdict));
  const deciding = parts.find((p) => p.verdict === verdict)!;
  const [first] = simplesOf(claim).flatMap((simple) => samplesOf(simple, cast, table));
  const missing = claim.kind === "joint" ? absent(claim.presupposes, first.sides[1], cast, table) : undefined;
  return {
    ...deciding,
    ...(missing ? { verdict: "untestable", note: missing } : { verdict }),
    ...(parts.length > 1 && { parts }),
  };
}

/** Verdicts that more seeds, or better tuning, may change. */
const undecided: ReadonlySet<ClaimVerdict> = new Set<ClaimVerdict>(["towards", "against", "undecided"]);

/** The interval of a sample, by the claim's method. */
export function intervalOf(claim: Exclude<Claim, JointClaim>, sample: Sample): Interval {
  if (sample.with) return rankCorrelation(sample.effects, sample.with);
  const method = ("interval" in claim && claim.interval) || "t";
  return { t: tInterval, bca: bcaInterval, exact: exactInterval }[method](sample.effects);
}

/**
 * The interval including the uncertainty of tuning, so that luck in tuning does not count as an effect. For the tuned metric, the
 * losing arm might have been tuned to any of its rivals, so the low end holds against each of them, and the high end for each rival of the other arm. For any
 * other metric a rival may be better or worse, and only luck chose between them: both ends hold for any choice.
 */
function openInterval(
  claim: Exclude<Claim, JointClaim>,
  sample: Sample,
  at: number,
  cast: Roles,
  table: Table,
): Interval {
  const own = intervalOf(claim, sample);
  const { sides } = sample;
  if (sides[0] === sides[1]) return own;
  const within = (tables: readonly Table[]) =>
    tables.map((t) => intervalOf(claim, samplesOf(claim, cast, t)[at]));
  const { tuned = Object.keys(cast.metrics)[0] } = cast;
  if ([claim.metric].flat().some((metric) => metric !== tuned)) {
    const all = within(sides.reduce((tables, side) => tables.flatMap((t) => withRivals(t, side)), [table]));
    return {
      ...own,
      low: Math.min(own.low, ...all.map((i) => i.low)),
      high: Math.max(own.high, ...all.map((i) => i.high)),
    };
  }
  if (sides.length < 2) return own;
  const isNegative =
    "direction" in claim && claim.direction !== undefined && claim.direction !== metricOf(cast, tuned).better;
  const [gains, loses] = isNegative ? [sides[1], sides[0]] : sides;
  return {
    ...own,
    low: Math.min(own.low, ...within(withRivals(table, loses)).map((i) => i.low)),
    high: Math.max(own.high, ...within(withRivals(table, gains)).map((i) => i.high)),
  };
}

function partOf(
  claim: Exclude<Claim, JointClaim>,
  sample: Sample,
  interval: Interval,
  cast: Roles,
  table: Table,
): Part {
  const { label } = sample;
  const found = (verdict: ClaimVerdict, note?: string): Part => ({
    label,
    ...interval,
    verdict,
    ...(note !== undefined && { note }),
  });
  switch (claim.kind) {
    // An identity has no uncertainty: it holds for each run or it does not.
    case "holds": {
      const least = Math.min(...sample.effects);
      return {
        label,
        estimate: least,
        low: least,
        high: least,
        method: "t",
        verdict: least >= 0 ? "shown" : "reversed",
      };
    }
    case "no-worse":
      return found(noWorse(interval, claim.margin));
    case "equals": {
      const { low, high } = interval;
      return found(closeTo({ low: low - claim.value, high: high - claim.value }, claim.within));
    }
    case "at-most":
      return found(beyond({ low: -interval.high, high: -interval.low }, -claim.value));
    case "at-least":
      return found(beyond(interval, claim.value));
    case "equivalent":
      return found(closeTo(interval, claim.within));
    case "time-to-reach": {
      const part = withRoom(claim, claim.smallest);
      const [a, b] = sample.sides.map((side) => never(side, claim.metric, cast, table));
      const both = table.replicates.filter((_, i) => a[i] && b[i]).length;
      const count = (all: readonly boolean[]) => all.filter(Boolean).length;
      const note = `${count(a)} and ${count(b)} of ${table.replicates.length} never`;
      // If neither arm reaches the level their times are unknown, so equality is not a finding.
      const isHidden =
        2 * both >= table.replicates.length && (isOpen(part.verdict) || part.verdict === "towards");
      return {
        ...part,
        verdict: isHidden ? "untestable" : part.verdict,
        note: part.note ? `${note}; ${part.note}` : note,
      };
    }
    case "ratio":
      return withRoom(claim, Math.log(claim.smallest));
    case undefined:
    case "difference":
      return withRoom(claim, claim.smallest);
    default:
      return found(classify(interval, claim.smallest));
  }

  /** If the baseline leaves less than three times Δ to gain, a missing effect means nothing. */
  function withRoom(
    c: { kind?: string; direction?: Metric["better"]; metric: unknown },
    smallest: number,
  ): Part {
    const verdict = classify(interval, smallest);
    const [side, metric] = [sample.sides[1], sample.metric!];
    const towards = c.direction && c.direction !== metricOf(cast, metric).better ? "worse" : "better";
    const room = roomOver(side, metric, kindOf(claim) === "ratio", towards, cast, table);
    if (room === undefined || room >= 3 * smallest || !isOpen(verdict)) return found(verdict);
    const shown = (x: number) =>
      kindOf(claim) === "ratio" ? `×${Math.exp(x).toPrecision(3)}` : x.toPrecision(3);
    return found(
      "untestable",
      `${side} leaves ${shown(room)} to gain, less than three times ${shown(smallest)}`,
    );
  }
}

/** Whether a verdict says that no effect was seen. */
const isOpen = (verdict: ClaimVerdict) => verdict === "negligible" || verdict === "undecided";

/** Which runs never reached the level. */
const never = (side: string, metric: string, cast: Roles, table: Table): readonly boolean[] =>
  column(table, side, metric).map((v) => v === metricOf(cast, metric).worst);

/** Why a claim cannot be tested here; undefined if it can. */
function absent(
  presupposed: Precondition | undefined,
  compared: string | undefined,
  cast: Roles,
  table: Table,
): string | undefined {
  if (!presupposed) return undefined;
  const { metric, side, over, least, because } = presupposed;
  const whose = side ?? compared ?? cast.system;
  const meanOf = (name: string) => mean(columnOfRest(table, name, metric));
  const there = meanOf(whose) - (over === undefined ? 0 : meanOf(over));
  if (there >= least) return undefined;
  const what = over === undefined ? `of ${whose}` : `of ${whose} minus that of ${over}`;
  return `${because}: ${metric} ${what} is ${there.toPrecision(3)}, less than ${least}`;
}
