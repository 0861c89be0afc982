import { join } from "node:path";
import { fail } from "@reins/core";
import { judge } from "../claims/judge.ts";
import type { ClaimVerdict } from "../claims/verdict.ts";
import { lock } from "./lock.ts";
import { cacheFolder } from "./open-recipe.ts";
import { tableOfAll } from "./protocol.ts";
import { type Block, tableOf } from "./record.ts";
import { counted, type Result, readResult, writeResult } from "./result.ts";

/** A claim whose verdict has changed. */
export interface ChangedVerdict {
  readonly claim: number;
  readonly before: ClaimVerdict;
  readonly now: ClaimVerdict;
}

/** Judges the recorded values of a recipe by the current rules. Nothing is run; changed verdicts are kept beside the new ones. */
export function rejudge(book: string, id: string, because: string): readonly ChangedVerdict[] {
  const free = lock(join(cacheFolder(book), `${id}.lock`), `recipe ${id}`);
  try {
    const result = readResult(book, id);
    if (!result)
      return fail(`recipe ${id}`, `no result is recorded. Measure it with reins recipes run ${id}.`);
    const now = rejudgedResult(result);
    const changed = now.judged.flatMap(({ verdict }, claim): ChangedVerdict[] => {
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

/** A result with its claims judged from its values, over all blocks and per block. */
export function rejudgedResult(result: Result): Result {
  const { claims, blocks } = result;
  const all = tableOfAll(blocks.slice(0, counted));
  return {
    ...result,
    judged: claims.map((c) => judge(c, result, all)),
    blocks: blocks.map((b): Block => ({ ...b, judged: claims.map((c) => judge(c, result, tableOf(b))) })),
  };
}
