import { isSampled, isTrained } from "@reins/studio/wire";
import type { Transcript } from "reins/tools";

export type { Transcript };

/** The number of tokens of a transcript, and of those that enter the loss. */
export const tokensText = (tokens: number, trained: number): string =>
  `${tokens} ${tokens === 1 ? "token" : "tokens"} (${trained} trained on)`;

/** The label of a token's author. */
export const speakerOf = (maker: string): string => (isSampled(maker) ? "model" : maker);

/** Parses a transcript; returns the reason if it is not valid. Per-token lists that are missing or of another length are ignored. */
export function transcriptFrom(line: unknown): Transcript | string {
  if (typeof line !== "object" || line === null) return "it is not an object";
  const t = line as Partial<Record<keyof Transcript, unknown>>;
  const { tokens, makers } = t;
  if (!isTexts(tokens)) return "it has no tokens";
  if (!isTexts(makers) || makers.length !== tokens.length) return "makers must name the author of each token";
  const numbers = (list: unknown) => (isNumbers(list, tokens.length) ? list : undefined);
  const text = (x: unknown) => (typeof x === "string" ? x : undefined);
  const number = (x: unknown) => (typeof x === "number" ? x : undefined);
  const none = tokens.map(() => 0);
  return {
    version: 1,
    step: number(t.step) ?? 0,
    key: text(t.key),
    task: text(t.task),
    role: text(t.role),
    messages: messagesFrom(t.messages),
    replies: repliesFrom(t.replies),
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
    largestAdvantage: number(t.largestAdvantage),
    entropies: numbers(t.entropies)?.map((x) => x ?? Number.NaN),
  };
}

const isTexts = (x: unknown): x is string[] => Array.isArray(x) && x.every((y) => typeof y === "string");

const isNumbers = (x: unknown, length: number): x is (number | null)[] =>
  Array.isArray(x) && x.length === length && x.every((y) => typeof y === "number" || y === null);

function messagesFrom(x: unknown): Transcript["messages"] {
  const isOne = (m: unknown) =>
    typeof m === "object" && m !== null && "role" in m && "content" in m && typeof m.content === "string";
  return Array.isArray(x) && x.every(isOne) ? x : undefined;
}

const repliesFrom = (x: unknown): Transcript["replies"] =>
  Array.isArray(x) ? x.filter((r) => typeof Object(r).message === "number") : undefined;

const termsFrom = (x: unknown): Transcript["terms"] =>
  typeof x === "object" && x !== null
    ? Object.fromEntries(Object.entries(x).filter(([, y]) => typeof y === "number"))
    : undefined;

function segmentsFrom(x: unknown, length: number): Transcript["segments"] {
  const isOne = (s: unknown) =>
    typeof s === "object" && s !== null && "from" in s && "to" in s && Number(s.from) < Number(s.to);
  return Array.isArray(x) && x.every(isOne) ? x : [{ from: 0, to: length }];
}

/** A span: consecutive tokens of one author and turn. */
export interface TokenSpan {
  readonly maker: string;
  readonly turn: number;
  readonly segment: number;
  readonly from: number;
  readonly to: number;
}

/** The spans of a transcript, in order. */
export function spansOf({ makers, turns, segments, tokens }: Transcript): TokenSpan[] {
  const found: TokenSpan[] = [];
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

/** The text before the first token that is trained on. */
export function openingOf({ first, tokens, makers }: Transcript): string {
  const own = makers.findIndex(isTrained);
  return first + tokens.slice(0, own < 0 ? undefined : own).join("");
}

/** A message of a conversation, with sums over its tokens if it is trained on. */
export interface Turn {
  readonly speaker: string;
  readonly content: string;
  /** Whether it is a reply of the transcript's own role. */
  readonly isOwn: boolean;
  readonly tokens?: number;
  readonly logProb?: number;
  readonly reward?: number;
  readonly advantage?: number;
}

/** The turns of a conversation of several roles; empty for a single role, whose tokens show all turns. */
export function turnsOfAll({ messages = [], replies = [], role }: Transcript): Turn[] {
  const isReply = (m: (typeof messages)[number]) => m.role === "assistant";
  if (!messages.some((m) => isReply(m) && m.name !== role)) return [];
  const known = new Map(replies.map(({ message, role: _, ...sums }) => [message, sums]));
  return messages.map((m, i) => ({
    speaker: isReply(m) ? (m.name ?? "model") : m.role,
    content: m.content,
    isOwn: isReply(m) && m.name === role,
    ...known.get(i),
  }));
}

/** Control tokens of a chat format: `<|im_start|>`, `</s>`, `<bos>`, `[INST]`. */
const special =
  /^(?:<[|｜][^<>]*[|｜]>|<\/?(?:s|bos|eos|pad|unk|mask|(?:start|end)_of_turn)>|\[\/?(?:INST|CLS|SEP|PAD|MASK)\])$/;

/** The short name of a special token: `im_start`; undefined for text. */
export function specialName(token: string): string | undefined {
  const trimmed = token.trim();
  return special.test(trimmed) ? trimmed.slice(1, -1).replace(/[|｜]/g, "") : undefined;
}
