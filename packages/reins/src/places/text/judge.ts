import { resolve } from "node:path";
import { fail } from "@reins/core";
import type { RunConfig } from "@reins/core/directory";
import type { AnswerJudge, JudgeOption, RewardAggregation } from "@reins/language";
import { functionFromModule } from "../module.ts";
import { isModulePath } from "../module-path.ts";
import { checkCode } from "../trust.ts";
import type { JudgeLike } from "./judge-like.ts";

/** A judge, and its entry in a run's configuration. */
export interface KnownJudge {
  readonly judge: JudgeOption;
  /** Its name or file; `code` if it is a function of a program. */
  readonly kept: string;
}

/** Resolves a judge from an option. */
export async function judgeOf(wanted: JudgeLike): Promise<KnownJudge> {
  if (typeof wanted === "function") return { judge: wanted, kept: "code" };
  if (wanted === "exact" || wanted === "number") return { judge: wanted, kept: wanted };
  const [, aggregate, folders] = (typeof wanted === "string" && scored.exec(wanted)) || [];
  if (folders !== undefined) return rewardJudge(folders.split(","), aggregate);
  if (typeof wanted !== "string" || !isModulePath(wanted))
    return fail(
      "judge",
      `judge ${wanted} does not exist. Use exact or number, a file such as ./judge.js, a reward model (reward-model:./folder), or a function.`,
    );
  return { judge: (await functionFromModule(wanted, "judge")) as AnswerJudge, kept: resolve(wanted) };
}

/** A judge that is a reward model: `reward-model:FOLDER`, or of an ensemble `reward-model/minimum:FOLDER,FOLDER`. */
const scored = /^reward-model(?:\/([\w-]+))?:(.+)$/;

/** Whether the name of a judge is that of a reward model, which is data and not code. */
export const isRewardJudge = (name: string): boolean => scored.test(name);

/** The name of a reward model as a judge, which a configuration stores. */
export const rewardJudgeName = (folders: string, aggregate?: string): string =>
  `reward-model${aggregate === undefined ? "" : `/${aggregate}`}:${folders}`;

/** Loads a reward model as a judge, so that a folder without one is refused before training. */
async function rewardJudge(given: readonly string[], aggregate: string | undefined): Promise<KnownJudge> {
  const { isRewardFolder, judges, loadRewardModel } = await import("@reins/language");
  const folders = given.map((folder) => resolve(folder));
  // Refuses other folders with a hint.
  if (!folders.every(isRewardFolder)) judges.rewardModel(folders);
  const scorer = await loadRewardModel(folders, { aggregate: aggregate as RewardAggregation | undefined });
  return { judge: judges.rewardModel(scorer), kept: rewardJudgeName(folders.join(","), aggregate) };
}

/** Refuses a judge for an environment, which has its own reward. */
export const noJudge = (name: string): never =>
  fail(name, "a judge is for language tasks; an environment has its own reward. Omit judge.");

/** The judge of a saved run: the one given now, else the one in its configuration, whose code is not run without trust. */
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
      "its judge is a function of the program that started it, which a run directory cannot store. Pass `judge`, or name its file: --judge ./judge.js.",
    );
  if (isModulePath(kept) && !isRewardJudge(kept)) checkCode(path, kept, trust, "judge");
  return kept;
}
