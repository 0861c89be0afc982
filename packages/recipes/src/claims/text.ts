import type { Metric } from "../outcome.ts";
import { type Claim, kindOf } from "./claim.ts";
import type { Judgement, Part } from "./judge.ts";

/** The names of a recipe's arms. */
interface Names {
  readonly system: string;
  readonly baselines: readonly string[];
  /** The best baseline in tuning, by metric, if known. */
  readonly best?: { readonly [metric: string]: string };
  readonly metrics: { readonly [name: string]: Metric };
}

/** A claim as text. */
export function claimText(claim: Claim, names: Names): string {
  const about = (m: string | readonly [string, string]) => {
    const [a, b] = typeof m === "string" ? [m, m] : m;
    const first = names.metrics[a]?.about ?? a;
    return a === b ? first : `${first} against ${names.metrics[b]?.about ?? b}`;
  };
  const contrast = ("contrast" in claim && claim.contrast) || [names.system, "best"];
  const compared = "metric" in claim ? [claim.metric].flat() : [];
  // An interaction chooses by its first metric, a pair by the metric of the second arm.
  const best = names.best?.[compared[claim.kind === "interaction" ? 0 : compared.length - 1]];
  const others = {
    best: names.baselines.length > 1 ? `${best ? `${best}, ` : ""}its best baseline` : names.baselines[0],
    each: "each baseline",
  };
  const pair = `${contrast[0]} against ${others[contrast[1] as "best"] ?? contrast[1]}`;
  const of = ("of" in claim && typeof claim.of === "string" && claim.of) || names.system;
  const direction = (m: string) => ("direction" in claim && claim.direction) || names.metrics[m]?.better;
  switch (claim.kind) {
    case undefined:
    case "difference":
      return `${pair}: ${about(claim.metric)} ${direction([claim.metric].flat()[0])} by at least ${claim.smallest}`;
    case "ratio":
      return `${pair}: ${about(claim.metric)} ${direction([claim.metric].flat()[0])} by a factor of at least ${claim.smallest}`;
    case "no-worse":
      return `${pair}: ${about(claim.metric)} not worse by ${claim.margin}`;
    case "equals":
      return `${of}: ${about(claim.metric)} is ${claim.value} ± ${claim.within}`;
    case "at-most":
    case "at-least":
      return `${of}: ${about(claim.metric)} ${claim.kind === "at-most" ? "at most" : "at least"} ${claim.value} on average`;
    case "joint":
      return claim.of.map((c) => claimText(c, names)).join("; and ");
    case "interaction":
      return `${pair}: at least ${claim.smallest} more in ${about(claim.metric[0])} than in ${about(claim.metric[1])}`;
    case "ordering":
      return `${claim.sides.join(", then ")}: ${about(claim.metric)} better by at least ${claim.smallest} each`;
    case "equivalent":
      return `${claim.sides.join(", ")}: ${about(claim.metric)} within ${claim.within} of one another`;
    case "correlation":
      return `${[claim.of ?? of].flat().join(" and ")}: rank correlation of ${about(claim.metric[0])} with ${about(claim.metric[1])} ${claim.direction === "lower" ? "below -" : "at least "}${claim.smallest}`;
    case "time-to-reach":
      return `${pair}: ${about(claim.metric)} lower by at least ${claim.smallest}`;
    case "holds":
      return `${of}: ${about(claim.metric)} at most ${claim.tolerance}`;
  }
}

/** A number as text. */
export const figure = (x: number): string =>
  !Number.isFinite(x)
    ? `${x}`
    : Math.abs(x) >= 1000 || x === 0
      ? x.toFixed(0)
      : x
          .toPrecision(3)
          .replace(/(\.\d*?)0+$/, "$1")
          .replace(/\.$/, "");

/** The effect with its interval: ratios as factors, everything else in the metric's unit, towards the claim. */
export function effectText(claim: Claim, judgement: Judgement): string {
  const { parts = [judgement] } = judgement;
  if (claim.kind === "joint") return parts.map((p) => one(claim.of[p.of ?? 0], p)).join("; ");
  return one(claim, judgement);
}

/** The effect with the pair of arms that decides, if a claim compares several. */
export function effectOf(claim: Claim, judgement: Judgement): string {
  const { label, note } = judgement;
  const several = ("contrast" in claim && claim.contrast?.[1] === "each") || "sides" in claim;
  if (!several) return effectText(claim, judgement);
  return `${effectText(claim, { ...judgement, note: undefined })} for ${label}${note ? `; ${note}` : ""}`;
}

function one(claim: Claim, { estimate, low, high, note }: Part): string {
  if (claim.kind === "holds") return `largest violation ${figure(claim.tolerance - estimate)}`;
  return `${intervalText({ estimate, low, high }, kindOf(claim) === "ratio")}${note ? `; ${note}` : ""}`;
}

/** An estimate with its interval; ratios, which are stored as logarithms, are shown as factors. */
export function intervalText(
  { estimate, low, high }: Pick<Part, "estimate" | "low" | "high">,
  isRatio: boolean,
): string {
  const [e, l, h] = [estimate, low, high].map((x) => (isRatio ? Math.exp(x) : x));
  const places = placesFor(e, h - l);
  const show = (x: number) => `${isRatio ? "×" : ""}${fixed(x, places)}`;
  return `${show(e)} (${show(l)} to ${show(h)})`;
}

/** Decimals of an estimate and its interval: three significant digits of the estimate, but two to three of the interval's width. */
function placesFor(estimate: number, width: number): number {
  const places = (x: number, figures: number) => figures - 1 - Math.floor(Math.log10(Math.abs(x)));
  const own = estimate === 0 ? 0 : places(estimate, 3);
  if (!(width > 0 && Number.isFinite(width))) return Math.min(Math.max(own, 0), 12);
  return Math.min(Math.max(Math.min(own, places(width, 3)), places(width, 2), 0), 12);
}

/** A number with fixed decimals; negative zero becomes zero. */
const fixed = (x: number, places: number): string =>
  Number.isFinite(x) ? x.toFixed(places).replace(/^-(0(\.0*)?)$/, "$1") : `${x}`;
