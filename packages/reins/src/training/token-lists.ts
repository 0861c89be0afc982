import { makers, stepsOf } from "@reins/core/episodes";
import type { Tensor } from "@reins/tensor";
import type { JudgedText } from "./samples.ts";

/** Values per token of a text. */
export interface TokenLists {
  readonly makers: readonly string[];
  /** Turn of the model, from 1; 0 for other text. */
  readonly turns: readonly number[];
  /** Log-probabilities of sampled tokens; null for all others. */
  readonly logProbs: readonly (number | null)[];
  readonly rewards: readonly number[];
  /** The loss mask. */
  readonly advantages?: readonly number[];
}

/** The lists of one text of a batch. */
export function listsOf(
  { judged, episode }: JudgedText,
  advantage: ArrayLike<number> | undefined,
): TokenLists {
  const { verdict, reward } = judged;
  const { columns } = episode;
  const steps = stepsOf(episode);
  const by = numbers(columns.by, steps).map((m) => makers[m]);
  return {
    makers: by,
    turns: numbers(columns.turn, steps),
    logProbs: numbers(columns.logProb, steps).map((p, i) => (isWritten(by[i]) ? brief(p) : null)),
    rewards: verdict.steps ? Array.from(verdict.steps, brief) : atEnd(by, reward),
    ...(advantage ? { advantages: Array.from(advantage, brief) } : {}),
  };
}

/** Largest magnitude of the advantages of trained tokens; undefined if there are none. */
export function largestIn(all: readonly TokenLists[]): number | undefined {
  let found: number | undefined;
  for (const { makers: by, advantages = [] } of all)
    for (let i = 0; i < advantages.length; i++)
      if (isLearned(by[i]) && Number.isFinite(advantages[i]))
        found = Math.max(found ?? 0, Math.abs(advantages[i]));
  return found;
}

/** The numbers of a column; zeros if absent. */
export const numbers = (column: unknown, steps: number): number[] => [
  ...((column as Tensor | undefined)?.data ?? new Uint8Array(steps)),
];

/** Whether the model sampled a token: a teacher's tokens have no log-probability. */
export const isWritten = (maker: string): boolean => maker === "policy" || maker === "greedy";

/** Whether a token enters the loss: the model's own, or a teacher's. */
export const isLearned = (maker: string): boolean => isWritten(maker) || maker === "teacher";

/** Reward of the whole text, at the last token of the model or its teacher. */
function atEnd(by: readonly string[], reward: number): number[] {
  const out = new Array<number>(by.length).fill(0);
  const last = by.map(isLearned).lastIndexOf(true);
  if (last >= 0) out[last] = reward;
  return out;
}

/** A number rounded to six digits. */
export const brief = (x: number): number => Number(x.toPrecision(6));
