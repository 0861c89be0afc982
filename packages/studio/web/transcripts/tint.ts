import { isOwn, isWritten, type Transcript } from "./transcript.ts";

/** What tokens are coloured by. */
export type Tint = "advantage" | "log-probability" | "entropy" | "reward" | "writer";

/** All of them by their names in the menu, the most informative first. */
export const tints: Readonly<Record<Tint, string>> = {
  advantage: "advantage",
  "log-probability": "log-probability",
  entropy: "entropy",
  reward: "reward",
  writer: "author",
};

/** Why a text may lack what it is coloured by. */
export const lacking: Readonly<Record<Tint, string>> = {
  advantage: "No advantages: imitation does not compute any.",
  "log-probability": "No log-probabilities: a teacher wrote it, not the model.",
  entropy: "The run kept no entropies.",
  reward: "No token was rewarded.",
  writer: "",
};

/** The number that colours a token; undefined where it has none. */
export function numberFor(t: Transcript, tint: Tint, i: number): number | undefined {
  if (tint === "writer") return undefined;
  if (tint === "reward") return t.rewards[i] || undefined;
  const { [i]: maker } = t.makers;
  if (tint === "log-probability") return isWritten(maker) ? (t.logProbs[i] ?? undefined) : undefined;
  if (!isOwn(maker)) return undefined;
  return tint === "advantage" ? t.advantages?.[i] : t.entropies?.[i];
}

/** The least and the most of the numbers that colour some texts, at least from or to 0; undefined where there are none. */
export interface TintRange {
  readonly low: number;
  readonly high: number;
}

/** How far a scale goes at least: what is all but certain is not to look unlikely because nothing else is less so. */
const least: Readonly<Partial<Record<Tint, number>>> = { "log-probability": -1, entropy: 0.5 };

/**
 * The range over several texts, so that the same colour is the same number in all of them. That of advantages is symmetric around 0 and
 * reaches to the largest magnitude in the batch: a small advantage looks small, also where all that are shown are.
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

/** Whether some texts can be coloured so. */
export const canTint = (texts: readonly Transcript[], tint: Tint): boolean =>
  tint === "writer" || spreadOf(texts, tint) !== undefined;

/** The default colouring of some texts: the first that tells tokens apart. */
export function tintFor(texts: readonly Transcript[]): Tint {
  const tells = (tint: Tint) => {
    const spread = spreadOf(texts, tint);
    return spread !== undefined && spread.low < spread.high;
  };
  return (Object.keys(tints) as Tint[]).find(tells) ?? "writer";
}

/** The colour behind a token: what is good is green, what is bad red, and what is unlikely or undecided stands out in amber. */
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
  isWritten(maker)
    ? mix("accent", 0.3)
    : maker === "teacher"
      ? mix("warn", 0.3)
      : maker === "tool"
        ? mix("good", 0.24)
        : undefined;

function toneOf(tint: Tint, x: number, share: number): string {
  // Certain tokens have no colour at all; any advantage has some, however small.
  if (tint === "log-probability" || tint === "entropy") return mix("warn", 0.6 * Math.min(1, share));
  if (x === 0) return "transparent";
  return mix(x >= 0 ? "good" : "bad", 0.1 + 0.5 * Math.min(1, share));
}

/** The colours of a scale from its least to its most, as a CSS gradient. */
export function gradientOf(tint: Tint, { low, high }: TintRange): string {
  const points = Array.from({ length: 9 }, (_, i) => low + ((high - low) * i) / 8);
  return `linear-gradient(to right, ${points.map((x) => colorFor(tint, x, "policy", { low, high })).join(", ")})`;
}

const mix = (name: string, share: number) =>
  `color-mix(in srgb, var(--${name}-tint) ${Math.round(100 * share)}%, transparent)`;
