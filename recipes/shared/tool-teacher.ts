import type { ScriptedPlayer } from "@reins/language";

/** A table, and the tool that looks it up. */
export type Table = "f" | "g";

/** A question and the state of its conversation. */
export interface ToolQuestion {
  /** The prompt. */
  readonly question: string;
  /** The entries of both tables in this problem. */
  readonly entries: { readonly [table in Table]: { readonly [name: string]: string } };
  /** The calls that lead to the answer, in order. */
  readonly way: readonly string[];
  /** Whether the answer is the same in every problem, so that it can be memorised and needs no call. */
  readonly known: boolean;
  /** Whether each call, in the order in which calls are made, fails. */
  readonly failing: readonly boolean[];
  /** Whether the answer is to be verified. */
  readonly verified: boolean;
  /** Number of calls of the way that were made, each after the ones before it. */
  done: number;
  /** All calls in order, with their results; null for a failed call. */
  made: { readonly call: string; readonly result: string | null }[];
  /** The answer, as soon as there is one. */
  answer: string | null;
  /** Whether an answer was withdrawn. */
  withdrawn: boolean;
  /** Whether a separate answerer has the conversation, so that calls fail. */
  closed: boolean;
}

/** Names without the letters of "error", which precedes the message of a failed call. */
export const names = [..."abcdhijklmnp"];

/** Error rates of the teacher: looks up what it knows, guesses, takes the other table, stops halfway, gives up after a failed call, confirms a wrong answer. */
const [needless, hasty, astray, early, resigned, lenient] = [0.6, 0.35, 0.25, 0.4, 0.5, 0.3];

/** The teacher, which knows the way and often errs. */
export const expert: ScriptedPlayer<ToolQuestion, ToolQuestion> = (
  { answer, data: { way, known } },
  { state: { made, done, answer: said }, turns },
  random,
) => {
  if (said !== null) return said === answer || random.chance(lenient) ? "+" : "-";
  if (known) return turns === 0 && random.chance(needless) ? way[0] : answer;
  const last = made[made.length - 1]?.result;
  const guess = () => random.choice(names);
  if (last === null && random.chance(resigned)) return guess();
  const isAstray = made.filter((m) => m.result !== null).length > done;
  if (isAstray || done === way.length) return last ?? guess();
  if (turns === 0 && random.chance(hasty)) return guess();
  if (done > 0 && last && random.chance(early)) return last;
  const next = way[done];
  return random.chance(astray) ? `${next[0] === "f" ? "g" : "f"}${next.slice(1)}` : next;
};
