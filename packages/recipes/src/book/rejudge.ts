import { join } from "node:path";
import { fail } from "@reins/core";
import { judge } from "../claims/judge.ts";
import type { ClaimVerdict } from "../claims/verdict.ts";
import { lock } from "./lock.ts";
import { cacheFolder } from "./open.ts";
import { tableOfAll } from "./protocol.ts";
import { type Block, tableOf } from "./record.ts";
import { counted, type Result, readResult, writeResult } from "./result.ts";

/** A claim that is judged otherwise than it was. */
export interface Rejudged {
  readonly claim: number;
  readonly before: ClaimVerdict;
  readonly now: ClaimVerdict;
}

/** Judges the recorded values of a recipe by the rules of today. Nothing is run; verdicts that change are kept beside the new ones. */
export function rejudge(book: string, id: string, because: string): readonly Rejudged[] {
  const free = lock(join(cacheFolder(book), `${id}.lock`), `recipe ${id}`);
  try {
    const result = readResult(book, id);
    if (!result) return fail(`recipe ${id}`, `nothing is recorded. reins recipes run ${id} measures it.`);
    const now = judgedAnew(result);
    const changed = now.judged.flatMap(({ verdict }, claim): Rejudged[] => {
      const before = result.judged[claim].verdict;
      return verdict === before ? [] : [{ claim, before, now: verdict }];
    });
    const verdicts = result.judged.map((j) => j.verdict);
    const earlier = [...(result.judgedBefore ?? []), ...(changed.length ? [{ verdicts, because }] : [])];
    writeResult(book, { ...now, ...(earlier.length && { judgedBefore: earlier }) });
    return changed;
  } finally {
    free();
  }
}

/** A result with its claims judged by its values, together and block by block. */
export function judgedAnew(result: Result): Result {
  const { claims, blocks } = result;
  const all = tableOfAll(blocks.slice(0, counted));
  return {
    ...result,
    judged: claims.map((c) => judge(c, result, all)),
    blocks: blocks.map((b): Block => ({ ...b, judged: claims.map((c) => judge(c, result, tableOf(b))) })),
  };
}
