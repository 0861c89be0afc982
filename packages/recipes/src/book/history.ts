import { join } from "node:path";
import { simplesOf } from "../claims/claim.ts";
import { claimText, intervalText } from "../claims/text.ts";
import type { ClaimVerdict } from "../claims/verdict.ts";
import { blockStart } from "./protocol.ts";
import { type Result, readList, writeJson } from "./result.ts";

/** A form of a recipe that was measured before, and what it gave. Nothing that was evaluated is forgotten. */
export interface Attempt {
  readonly measuredAt: string;
  /** The evaluation seeds that it has used up. */
  readonly firstSeed: number;
  readonly lastSeed: number;
  readonly claims: readonly {
    readonly claim: string;
    readonly verdict: ClaimVerdict;
    readonly estimate: number;
    readonly low: number;
    readonly high: number;
    /** Whether these are logarithms of factors. */
    readonly isRatio?: boolean;
  }[];
  /** Why it was measured again. */
  readonly because: string;
}

/** What an earlier attempt found, as people read it. */
export const attemptTexts = ({ claims }: Attempt): string[] =>
  claims.map((c) => `${c.claim}: ${c.verdict}, ${intervalText(c, c.isRatio ?? false)}`);

const pathOf = (book: string, id: string) => join(book, "history", `${id}.json`);

/** Earlier attempts of a recipe, the first first. */
export const readHistory = (book: string, id: string): readonly Attempt[] =>
  readList<Attempt>(pathOf(book, id));

/** Puts a result among the earlier attempts. */
export function retire(book: string, result: Result, because: string): void {
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

/** Puts evaluation seeds among the earlier attempts that other code has seen and not come to the end of. */
export function abandon(book: string, id: string, seeds: readonly number[]): void {
  remember(book, id, {
    measuredAt: "not finished",
    firstSeed: Math.min(...seeds),
    lastSeed: Math.max(...seeds),
    claims: [],
    because: "its code or its back end changed before the end",
  });
}

/** Adds an attempt, once: a process that is killed before the new result is written does so again. */
function remember(book: string, id: string, attempt: Attempt): void {
  const known = readHistory(book, id);
  const isSame = (a: Attempt) => a.measuredAt === attempt.measuredAt && a.firstSeed === attempt.firstSeed;
  if (!known.some(isSame)) writeJson(pathOf(book, id), [...known, attempt]);
}

const lastSeedOf = ({ blocks }: Result) =>
  Math.max(...blocks.map((b) => b.firstSeed + b.replicates.length - 1));

/** The first block of which no seed was ever evaluated; `begun` are the seeds of evaluations that other code did not finish. */
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
