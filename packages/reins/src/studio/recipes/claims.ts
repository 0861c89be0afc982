import {
  type Claim,
  claimText,
  effectText,
  type JointClaim,
  type Judgement,
  type Part,
} from "@reins/recipes";
import {
  counted,
  effectSize,
  type Result,
  type Sample,
  samplesOf,
  simplesOf,
  tableOf,
} from "@reins/recipes/book";
import type { RecipeClaim, RecipeColumn, RecipeEffect } from "@reins/studio";

type Simple = Exclude<Claim, JointClaim>;

/** Effects of a judgement: its parts if several claims are combined. */
export const effectsOf = (claim: Claim, judgement: Judgement): RecipeEffect[] =>
  (judgement.parts ?? [judgement]).map((part) => effectOf(simplesOf(claim)[part.of ?? 0], part));

function effectOf(claim: Simple, part: Part): RecipeEffect {
  const { label, verdict, note, estimate, low, high } = part;
  // A bound that holds in every run is stored as slack; the page shows its violation.
  const said = (x: number) => (claim.kind === "holds" ? claim.tolerance - x : x);
  const { middle, shown } = regionOf(claim);
  return {
    label,
    verdict,
    kind: kinds[claim.kind ?? "difference"],
    text: effectText(claim, { ...part, note: undefined }),
    ...(note !== undefined && { note }),
    isRatio: claim.kind === "ratio",
    estimate: said(estimate),
    low: said(low),
    high: said(high),
    middle,
    size: effectSize(claim) ?? null,
    shown,
  };
}

/** Names of measures. */
const kinds: Readonly<Record<NonNullable<Simple["kind"]>, string>> = {
  difference: "difference",
  ratio: "factor",
  "no-worse": "difference",
  interaction: "difference of differences",
  ordering: "difference",
  equivalent: "difference",
  equals: "value",
  "at-most": "value",
  "at-least": "value",
  correlation: "rank correlation",
  "time-to-reach": "difference",
  holds: "",
};

/** The value of no effect, and on which side an interval supports the claim. */
function regionOf(claim: Simple): Pick<RecipeEffect, "middle" | "shown"> {
  switch (claim.kind) {
    case "no-worse":
      return { middle: 0, shown: [-claim.margin, null] };
    case "equivalent":
      return { middle: 0, shown: [-claim.within, claim.within] };
    case "equals":
      return { middle: claim.value, shown: [claim.value - claim.within, claim.value + claim.within] };
    case "at-most":
      return { middle: claim.value, shown: [null, claim.value] };
    case "at-least":
      return { middle: claim.value, shown: [claim.value, null] };
    case "holds":
      return { middle: claim.tolerance, shown: [null, claim.tolerance] };
    default:
      return { middle: 0, shown: [effectSize(claim)!, null] };
  }
}

/** Claims of a result, each with its evidence. */
export function claimsOf(result: Result): RecipeClaim[] {
  return result.claims.map((claim, i) => {
    const judged = result.judged[i];
    const blocks = result.blocks.map((b) => (b.judged ? effectsOf(claim, b.judged[i]) : []));
    const columns = columnsOf(claim, result);
    return {
      text: claimText(claim, result),
      verdict: judged.verdict,
      ...(judged.note !== undefined && { note: judged.note }),
      because: claim.because,
      ...(claim.paper !== undefined && { paper: claim.paper }),
      effects: effectsOf(claim, judged).map((effect, at) => ({
        ...effect,
        blocks: blocks.flatMap((own) => own[at] ?? []),
        columns: columns[at] ?? [],
        isScatter: claim.kind === "correlation",
      })),
    };
  });
}

/** Plots of the effects, in the order of the parts of a judgement. */
function columnsOf(claim: Claim, result: Result): RecipeColumn[][] {
  const table = tableOf(result.blocks[Math.min(counted, result.blocks.length) - 1]);
  return simplesOf(claim).flatMap((simple) =>
    samplesOf(simple, result, table).map((sample) => columns(simple, sample, result)),
  );
}

function columns(claim: Simple, { sides }: Sample, { metrics }: Result): RecipeColumn[] {
  const [first, second = first] = [claim.metric].flat();
  const [a, b = a] = sides;
  const about = (metric: string) => metrics[metric]?.about ?? metric;
  if (claim.kind === "interaction")
    return [first, second].map((metric) => ({
      label: `${a} less ${b}`,
      about: about(metric),
      side: a,
      metric,
      less: b,
    }));
  if (sides.length === 1 && first === second) return [{ label: a, side: a, metric: first }];
  const named = (side: string, metric: string) => ({
    label: side,
    ...(first !== second && { about: about(metric) }),
    side,
    metric,
  });
  return [named(a, first), named(b, second)];
}
