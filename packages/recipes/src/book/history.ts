import { join } from "node:path";
import { simplesOf } from "../claims/claim.ts";
import { claimText, intervalText } from "../claims/text.ts";
import type { ClaimVerdict } from "../claims/verdict.ts";
import { blockStart } from "./protocol.ts";
import { type Result, readJson, writeJson } from "./result.ts";

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
  readJson<readonly Attempt[]>(pathOf(book, id)) ?? [];

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
  writeJson(pathOf(book, result.id), [...readHistory(book, result.id), attempt]);
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
