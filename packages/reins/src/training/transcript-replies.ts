import type { ConversationResult } from "@reins/language";
import type { JudgedText } from "./samples.ts";
import { brief, isLearned, isWritten, type TokenLists } from "./token-lists.ts";

/** A reply in a conversation, by any role. */
export interface Reply {
  /** Index among the messages. */
  readonly message: number;
  /** Its role, if it is not the model's own. */
  readonly role?: string;
  /** Its tokens and their sums, if the role is trained. A teacher's replies have no log-probability. */
  readonly tokens?: number;
  readonly logProb?: number;
  readonly reward?: number;
  /** Mean over its tokens. */
  readonly advantage?: number;
}

/** Replies of a conversation. Each trained role has its own view in the batch, with the same messages. */
export function repliesIn(
  text: JudgedText,
  all: readonly JudgedText[],
  listed: ReadonlyMap<JudgedText, TokenLists>,
): { readonly replies?: readonly Reply[] } {
  const { messages, opening = 0 } = conversedOf(text);
  if (!messages) return {};
  const views = new Map(
    all
      .filter((other) => conversedOf(other).messages === messages)
      .map((other) => [conversedOf(other).role, listed.get(other)!]),
  );
  const count = new Map<string | undefined, number>();
  const replies = messages.flatMap(({ role: by, name }, message): Reply[] => {
    if (by !== "assistant" || message < opening) return [];
    const turn = (count.get(name) ?? 0) + 1;
    count.set(name, turn);
    const lists = views.get(name);
    return [
      { message, ...(name === undefined ? {} : { role: name }), ...(lists ? sumsOf(lists, turn) : {}) },
    ];
  });
  return { replies };
}

/** Sums over the tokens of a turn. */
export function sumsOf(
  { turns, makers: by, logProbs, rewards, advantages }: TokenLists,
  turn: number,
): Omit<Reply, "message" | "role"> {
  // Single answers have no turns.
  const isIn = turns.some((k) => k > 0) ? (i: number) => turns[i] === turn : (i: number) => isLearned(by[i]);
  const own = turns.flatMap((_, i) => (isIn(i) ? [i] : []));
  if (own.length === 0) return {};
  const sum = (values: readonly (number | null)[]) => own.reduce((s, i) => s + (values[i] ?? 0), 0);
  return {
    tokens: own.length,
    ...(own.some((i) => isWritten(by[i])) ? { logProb: brief(sum(logProbs)) } : {}),
    reward: brief(sum(rewards)),
    ...(advantages ? { advantage: brief(sum(advantages) / own.length) } : {}),
  };
}

/** The conversation of a text; undefined for a single answer. */
export const conversedOf = ({ episode }: JudgedText): Partial<ConversationResult> => episode.answered;
