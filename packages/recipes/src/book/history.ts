import { join } from "node:path";
import { simplesOf } from "../claims/claim.ts";
import { claimText, intervalText } from "../claims/text.ts";
import type { ClaimVerdict } from "../claims/verdict.ts";
import { blockStart } from "./protocol.ts";
import { type Result, readList, writeJson } from "./result.ts";

/** An earlier measurement of a recipe and its results. Every evaluation is kept. */
export interface Attempt {
  readonly measuredAt: string;
  /** The first of its evaluation seeds, which cannot be used again. */
  readonly firstSeed: number;
  readonly lastSeed: number;
  readonly claims: readonly {
    readonly claim: string;
    readonly verdict: ClaimVerdict;
    readonly estimate: number;
    readonly low: number;
    readonly high: number;
    /** Whether these are logarithms of ratios. */
    readonly isRatio?: boolean;
  }[];
  /** Why it was measured again. */
  readonly because: string;
}

/** The results of an earlier attempt, as text. */
export const attemptTexts = ({ claims }: Attempt): string[] =>
  claims.map((c) => `${c.claim}: ${c.verdict}, ${intervalText(c, c.isRatio ?? false)}`);

const pathOf = (book: string, id: string) => join(book, "history", `${id}.json`);

/** Earlier attempts of a recipe, oldest first. */
export const readHistory = (book: string, id: string): readonly Attempt[] =>
  readList<Attempt>(pathOf(book, id));

/** Moves a result to the earlier attempts. */
export function archiveResult(book: string, result: Result, because: string): void {
  const attempt: Attempt = {
    measuredAt: result.measuredAt,
    firstSeed: Math.min(...result.blocks.map((b) => b.firstSeed)),
    lastSeed: lastSeedOf(result),
    claims: result.claims.map((claim, i) => {
      const { verdict, estimate, low, high, of = 0 } = result.judged[i];
      const isRatio = simplesOf(claim)[of].kind === "ratio";
      const said = claimText(claim, result);
      return { claim: said, verdict, estimate, low, high, ...(isRatio && { isRatio }) };
    }),
    because,
  };
  remember(book, result.id, attempt);
}

/** Records evaluation seeds that other code has used in a measurement it did not finish. */
export function recordUnfinished(book: string, id: string, seeds: readonly number[]): void {
  remember(book, id, {
    measuredAt: "not finished",
    firstSeed: Math.min(...seeds),
    lastSeed: Math.max(...seeds),
    claims: [],
    because: "its code or its back end changed before the end",
  });
}

/** Adds an attempt once, also if a process was killed before the new result was written. */
function remember(book: string, id: string, attempt: Attempt): void {
  const known = readHistory(book, id);
  const isSame = (a: Attempt) => a.measuredAt === attempt.measuredAt && a.firstSeed === attempt.firstSeed;
  if (!known.some(isSame)) writeJson(pathOf(book, id), [...known, attempt]);
}

const lastSeedOf = ({ blocks }: Result) =>
  Math.max(...blocks.map((b) => b.firstSeed + b.replicates.length - 1));

/** The first block without used seeds; `begun` are the seeds of unfinished evaluations by other code. */
export function nextBlock(
  history: readonly Attempt[],
  result?: Result,
  begun: readonly number[] = [],
): number {
  const ends = [...history.map((a) => a.lastSeed), ...begun, ...(result ? [lastSeedOf(result)] : [])];
  let block = 0;
  while (ends.some((last) => blockStart(block) <= last)) block++;
  return block;
}
