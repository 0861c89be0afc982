import { resolve } from "node:path";
import { fail } from "@reins/core";
import type { RunConfig } from "@reins/core/directory";
import type { AnswerJudge, Judging } from "@reins/language";
import { functionFromModule } from "../module.ts";
import { isModulePath } from "../module-path.ts";
import { isTrusted, refuseCode } from "../trust.ts";
import type { JudgeLike } from "./judge-like.ts";

/** A judge, and what a run's configuration says of it. */
export interface KnownJudge {
  readonly judge: Judging;
  /** Its name or its file; `code` where it is a function of a program. */
  readonly kept: string;
}

/** The judge that was asked for. */
export async function judgeOf(wanted: JudgeLike): Promise<KnownJudge> {
  if (typeof wanted === "function") return { judge: wanted, kept: "code" };
  if (wanted === "exact" || wanted === "number") return { judge: wanted, kept: wanted };
  if (typeof wanted !== "string" || !isModulePath(wanted))
    return fail(
      "judge",
      `there is no judge ${wanted}. There are exact and number; or give a file: ./judge.js, or a function.`,
    );
  return { judge: (await functionFromModule(wanted, "judge")) as AnswerJudge, kept: resolve(wanted) };
}

/** Refuses a judge where the environment itself pays. */
export const noJudge = (name: string): never =>
  fail(name, "only answers in words are judged; an environment pays by itself. Leave the judge out.");

/** The judge of a kept run: the one that is given now, else the one its configuration names, whose code is not run unasked. */
export function keptJudge(
  path: string,
  { judge: kept }: RunConfig,
  { judge: given, trust = false }: { readonly judge?: JudgeLike; readonly trust?: boolean },
): JudgeLike | undefined {
  if (given !== undefined) return given;
  if (typeof kept !== "string") return undefined;
  if (kept === "code")
    return fail(
      path,
      "its judge is a function of the program that began it, which no folder can hold. Pass `judge`, or name its file: --judge ./judge.js.",
    );
  if (isModulePath(kept) && !trust && !isTrusted(kept)) refuseCode(path, kept, "judge");
  return kept;
}
