import { type Claim, type JointClaim, kindOf, simplesOf } from "../../claims/claim.ts";
import type { Judgement, Part } from "../../claims/judge.ts";
import { effectText, intervalText } from "../../claims/text.ts";
import type { ClaimVerdict } from "../../claims/verdict.ts";
import type { Metric } from "../../outcome.ts";

type Metrics = { readonly [name: string]: Metric };

/** What an interval says of the direction of a claim. */
const directions: { readonly [verdict in ClaimVerdict]?: string } = {
  shown: "as claimed",
  towards: "as claimed",
  reversed: "against the claim",
  against: "against the claim",
};

/** Kinds whose effects are signed towards the claim: all others are plain values. */
const signed = new Set(["difference", "ratio", "no-worse", "interaction", "ordering", "time-to-reach"]);

/**
 * The effects of a claim as changes of its metrics, in their own direction and unit: "−0.192 (−0.240 to −0.150), as claimed" for
 * fewer calls. Joint claims name the metric of each part.
 */
export function changeText(claim: Claim, judgement: Judgement, metrics: Metrics): string {
  const { label, parts } = judgement;
  const several = ("contrast" in claim && claim.contrast?.[1] === "each") || "sides" in claim;
  if (claim.kind !== "joint" || !parts)
    return `${one(simplesOf(claim)[0], judgement, metrics)}${several ? ` (${label})` : ""}${noteOf(judgement)}`;
  const texts = parts.map((part) => {
    const simple = simplesOf(claim)[part.of ?? 0];
    const [metric] = [simple.metric].flat();
    return `${metrics[metric]?.about ?? metric} ${one(simple, part, metrics)}${noteOf(part)}`;
  });
  return texts.join("; ");
}

const noteOf = ({ note }: Part): string => (note ? `; ${note}` : "");

function one(claim: Exclude<Claim, JointClaim>, part: Part, metrics: Metrics): string {
  if (claim.kind === "holds") return effectText(claim, { ...part, note: undefined });
  const isRatio = claim.kind === "ratio";
  const isChange = signed.has(kindOf(claim));
  const lower = isChange && directionOf(claim, metrics) === "lower";
  const { estimate, low, high } = lower
    ? { estimate: -part.estimate, low: -part.high, high: -part.low }
    : part;
  const text = intervalText({ estimate, low, high }, isRatio).replaceAll("-", "−");
  const plus = isChange && !isRatio && estimate > 0 ? "+" : "";
  const direction = isChange ? directions[part.verdict] : undefined;
  return `${plus}${text}${direction ? `, ${direction}` : ""}`;
}

/** The claimed direction of the metric. */
function directionOf(claim: Exclude<Claim, JointClaim>, metrics: Metrics): "higher" | "lower" {
  const [metric] = [claim.metric].flat();
  return ("direction" in claim && claim.direction) || (metrics[metric]?.better ?? "higher");
}
