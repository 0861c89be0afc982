import type { Transcript } from "../../../reins/dist/training/transcripts.js";

export type { Transcript };

/** What tokens are coloured by. */
export type Tint = "log-probability" | "advantage" | "reward" | "provenance" | "entropy";

/** Whether a token is the model's own, or a teacher's in its place: what is learned from. */
export const isOwn = (maker: string): boolean => ["policy", "greedy", "teacher"].includes(maker);

/** Tokens one after another that one wrote in one turn. */
export interface Passage {
  readonly maker: string;
  readonly turn: number;
  readonly segment: number;
  readonly from: number;
  readonly to: number;
}

/** A transcript as passages, each by one hand. */
export function passagesOf({ makers, turns, segments, tokens }: Transcript): Passage[] {
  const found: Passage[] = [];
  const segmentAt = (i: number) =>
    Math.max(
      0,
      segments.findIndex(({ from, to }) => i >= from && i < to),
    );
  for (let i = 0; i < tokens.length; i++) {
    const last = found.at(-1);
    const [maker, turn, segment] = [makers[i], turns[i] ?? 0, segmentAt(i)];
    if (last && last.maker === maker && last.turn === turn && last.segment === segment)
      found[found.length - 1] = { ...last, to: i + 1 };
    else found.push({ maker, turn, segment, from: i, to: i + 1 });
  }
  return found;
}

/** The number that colours a token; undefined where it has none. */
export function numberFor(t: Transcript, tint: Tint, i: number): number | undefined {
  if (tint === "provenance") return undefined;
  if (tint === "reward") return t.rewards[i] || undefined;
  if (!isOwn(t.makers[i])) return undefined;
  if (tint === "log-probability") return t.logProbs[i];
  if (tint === "advantage") return t.advantages?.[i];
  return t.entropies?.[i];
}

/**
 * The colour behind a token: green for what is good or sure, red for what is bad or unsure, stronger for more. `scale` is the largest size of
 * such numbers in what is shown.
 */
export function colorFor(
  tint: Tint,
  x: number | undefined,
  maker: string,
  scale: number,
): string | undefined {
  if (tint === "provenance")
    return isOwn(maker) ? mix("accent", 0.28) : maker === "tool" ? mix("good", 0.22) : undefined;
  if (x === undefined || !Number.isFinite(x) || scale === 0) return undefined;
  // What is unlikely or undecided stands out; what is sure does not.
  if (tint === "log-probability" || tint === "entropy")
    return mix("bad", 0.6 * Math.min(1, Math.abs(x) / scale));
  return mix(x >= 0 ? "good" : "bad", 0.1 + 0.5 * Math.min(1, Math.abs(x) / scale));
}

const mix = (name: string, share: number) =>
  `color-mix(in srgb, var(--${name}) ${Math.round(100 * share)}%, transparent)`;
