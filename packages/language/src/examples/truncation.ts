import type { EncodedTurn } from "../tokenizers/conversation-encoder.ts";

/**
 * What happens to a text with too many tokens: `end` cuts off its end, `start` cuts off its beginning, after the begin token, and `drop`
 * drops the text.
 */
export const truncations = ["end", "start", "drop"] as const;
/** One of {@link truncations}. */
export type Truncation = (typeof truncations)[number];

/** Spans with at most `most` tokens, and the number of tokens cut off; undefined if no learned token would be left. */
export function truncated(
  spans: readonly EncodedTurn[],
  most: number,
  rule: Truncation,
): { readonly spans: readonly EncodedTurn[]; readonly cut: number } | undefined {
  const length = spans.reduce((sum, s) => sum + s.tokens.length, 0);
  const cut = length - most;
  if (cut <= 0) return isLearned(spans) ? { spans, cut: 0 } : undefined;
  if (rule === "drop") return undefined;
  const kept = rule === "end" ? withoutEnd(spans, most) : withoutStart(spans, cut);
  return isLearned(kept) ? { spans: kept, cut } : undefined;
}

/** Whether a span is learned. The first token of a text is never predicted. */
const isLearned = (spans: readonly EncodedTurn[]): boolean => {
  let at = 0;
  return spans.some(({ by, tokens }) => {
    at += tokens.length;
    return by === "teacher" && tokens.length > 0 && at > 1;
  });
};

function withoutEnd(spans: readonly EncodedTurn[], most: number): EncodedTurn[] {
  let room = most;
  return spans.flatMap((span) => {
    const tokens = span.tokens.slice(0, room);
    room -= tokens.length;
    return tokens.length ? [{ ...span, tokens }] : [];
  });
}

/** The first token stays: models expect their begin token there. */
function withoutStart(spans: readonly EncodedTurn[], cut: number): EncodedTurn[] {
  let rest = cut;
  let isFirst = true;
  return spans.flatMap((span) => {
    const kept = isFirst ? span.tokens.slice(0, 1) : [];
    const from = isFirst ? 1 : 0;
    if (span.tokens.length) isFirst = false;
    const gone = Math.min(rest, span.tokens.length - from);
    rest -= gone;
    const tokens = [...kept, ...span.tokens.slice(from + gone)];
    return tokens.length ? [{ ...span, tokens }] : [];
  });
}
