import { isSampled, isTrained } from "@reins/studio/wire";
import type { Transcript } from "./transcript.ts";

/** What tokens are coloured by. */
export type Tint = "advantage" | "log-probability" | "entropy" | "reward" | "writer";

/** Labels of the colourings, the most informative first. */
export const tints: Readonly<Record<Tint, string>> = {
  advantage: "advantage",
  "log-probability": "log-probability",
  entropy: "entropy",
  reward: "reward",
  writer: "author",
};

/** Why a transcript may lack a colouring. */
export const lacking: Readonly<Record<Tint, string>> = {
  advantage: "No advantages: imitation does not use any.",
  "log-probability": "No log-probabilities: the tokens are a teacher's.",
  entropy: "The run did not record entropies.",
  reward: "No token has a reward.",
  writer: "",
};

/** The number that colours a token; undefined if it has none. */
export function numberFor(t: Transcript, tint: Tint, i: number): number | undefined {
  if (tint === "writer") return undefined;
  if (tint === "reward") return t.rewards[i] || undefined;
  const { [i]: maker } = t.makers;
  if (tint === "log-probability") return isSampled(maker) ? (t.logProbs[i] ?? undefined) : undefined;
  if (!isTrained(maker)) return undefined;
  return tint === "advantage" ? t.advantages?.[i] : t.entropies?.[i];
}

/** The range of a colour scale, which includes 0. */
export interface TintRange {
  readonly low: number;
  readonly high: number;
}

/** Smallest extent of a scale, so that nearly certain tokens do not look unlikely. */
const least: Readonly<Partial<Record<Tint, number>>> = { "log-probability": -1, entropy: 0.5 };

/**
 * The range over several transcripts, so that a colour means the same number in all of them; undefined without numbers. The range of
 * advantages is symmetric around 0 and extends to the largest magnitude in the batch, so that small advantages look small.
 */
export function rangeOf(texts: readonly Transcript[], tint: Tint): TintRange | undefined {
  const spread = spreadOf(texts, tint);
  if (!spread) return undefined;
  if (tint === "advantage") {
    const batch = texts.map(({ largestAdvantage = 0 }) => largestAdvantage);
    const most = Math.max(-spread.low, spread.high, ...batch);
    return { low: 0 - most, high: most };
  }
  const { [tint]: end = 0 } = least;
  return { low: Math.min(spread.low, end), high: Math.max(spread.high, end) };
}

function spreadOf(texts: readonly Transcript[], tint: Tint): TintRange | undefined {
  let [low, high, some] = [0, 0, false];
  for (const t of texts)
    for (let i = 0; i < t.tokens.length; i++) {
      const x = numberFor(t, tint, i);
      if (x === undefined || !Number.isFinite(x)) continue;
      [low, high, some] = [Math.min(low, x), Math.max(high, x), true];
    }
  return some ? { low, high } : undefined;
}

/** Whether a colouring is available for some transcripts. */
export const canTint = (texts: readonly Transcript[], tint: Tint): boolean =>
  tint === "writer" || spreadOf(texts, tint) !== undefined;

/** The default colouring of some transcripts: the first in which tokens differ. */
export function tintFor(texts: readonly Transcript[]): Tint {
  const tells = (tint: Tint) => {
    const spread = spreadOf(texts, tint);
    return spread !== undefined && spread.low < spread.high;
  };
  return (Object.keys(tints) as Tint[]).find(tells) ?? "writer";
}

/** The background of a token: green for positive numbers, red for negative ones, amber for low probability or high entropy. */
export function colorFor(
  tint: Tint,
  x: number | undefined,
  maker: string,
  range: TintRange | undefined,
): string | undefined {
  if (tint === "writer") return writerColor(maker);
  if (x === undefined || !Number.isFinite(x) || !range) return undefined;
  const most = Math.max(-range.low, range.high);
  return toneOf(tint, x, most > 0 ? Math.abs(x) / most : 0);
}

/** The colour of a token's author. */
export const writerColor = (maker: string): string | undefined =>
  isSampled(maker)
    ? mix("accent", 0.3)
    : maker === "teacher"
      ? mix("warn", 0.3)
      : maker === "tool"
        ? mix("good", 0.24)
        : undefined;

function toneOf(tint: Tint, x: number, share: number): string {
  // Certain tokens have no colour; every advantage has some.
  if (tint === "log-probability" || tint === "entropy") return mix("warn", 0.6 * Math.min(1, share));
  if (x === 0) return "transparent";
  return mix(x >= 0 ? "good" : "bad", 0.1 + 0.5 * Math.min(1, share));
}

/** A colour scale as a CSS gradient. */
export function gradientOf(tint: Tint, { low, high }: TintRange): string {
  const points = Array.from({ length: 9 }, (_, i) => low + ((high - low) * i) / 8);
  return `linear-gradient(to right, ${points.map((x) => colorFor(tint, x, "policy", { low, high })).join(", ")})`;
}

const mix = (name: string, share: number) =>
  `color-mix(in srgb, var(--${name}-tint) ${Math.round(100 * share)}%, transparent)`;
