import type { Transcript } from "../../../reins/dist/training/transcripts.js";

export type { Transcript };

/** Whether a token is the model's own: only these were drawn, and have a log-probability. */
export const isWritten = (maker: string): boolean => maker === "policy" || maker === "greedy";

/** Whether a token is the model's own, or a teacher's in its place: what is learned from. */
export const isOwn = (maker: string): boolean => isWritten(maker) || maker === "teacher";

/** Whose word it is. */
export const speakerOf = (maker: string): string =>
  isWritten(maker) ? "model" : maker === "environment" ? "world" : maker;

/**
 * A transcript as it was read from a file, or why it is none. Lists that say something of the tokens, and are missing or of another
 * length, are as if nothing was kept.
 */
export function transcriptFrom(line: unknown): Transcript | string {
  if (typeof line !== "object" || line === null) return "it is no object";
  const t = line as Partial<Record<keyof Transcript, unknown>>;
  const { tokens, makers } = t;
  if (!isTexts(tokens)) return "it has no tokens";
  if (!isTexts(makers) || makers.length !== tokens.length) return "it does not say who wrote its tokens";
  const numbers = (list: unknown) => (isNumbers(list, tokens.length) ? list : undefined);
  const text = (x: unknown) => (typeof x === "string" ? x : undefined);
  const number = (x: unknown) => (typeof x === "number" ? x : undefined);
  const none = tokens.map(() => 0);
  return {
    version: 1,
    step: number(t.step) ?? 0,
    task: text(t.task),
    by: t.by === "teacher" ? "teacher" : "policy",
    prompt: text(t.prompt) ?? "",
    answer: text(t.answer) ?? "",
    score: number(t.score),
    reward: number(t.reward) ?? Number.NaN,
    terms: termsFrom(t.terms),
    failed: text(t.failed),
    segments: segmentsFrom(t.segments, tokens.length),
    first: text(t.first) ?? "",
    tokens,
    makers,
    turns: (numbers(t.turns) ?? none).map(Number),
    logProbs: numbers(t.logProbs) ?? tokens.map(() => null),
    rewards: (numbers(t.rewards) ?? none).map(Number),
    advantages: numbers(t.advantages)?.map((x) => x ?? Number.NaN),
    entropies: numbers(t.entropies)?.map((x) => x ?? Number.NaN),
  };
}

const isTexts = (x: unknown): x is string[] => Array.isArray(x) && x.every((y) => typeof y === "string");

const isNumbers = (x: unknown, length: number): x is (number | null)[] =>
  Array.isArray(x) && x.length === length && x.every((y) => typeof y === "number" || y === null);

const termsFrom = (x: unknown): Transcript["terms"] =>
  typeof x === "object" && x !== null
    ? Object.fromEntries(Object.entries(x).filter(([, y]) => typeof y === "number"))
    : undefined;

function segmentsFrom(x: unknown, length: number): Transcript["segments"] {
  const isOne = (s: unknown) =>
    typeof s === "object" && s !== null && "from" in s && "to" in s && Number(s.from) < Number(s.to);
  return Array.isArray(x) && x.every(isOne) ? x : [{ from: 0, to: length }];
}

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

/** What was said before the first word that is learned from. */
export function openingOf({ first, tokens, makers }: Transcript): string {
  const own = makers.findIndex(isOwn);
  return first + tokens.slice(0, own < 0 ? undefined : own).join("");
}
