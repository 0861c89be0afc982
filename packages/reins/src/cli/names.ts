import { algorithms } from "@reins/algorithms";
import type { AlgorithmMaker } from "@reins/core";
import { didYouMean } from "@reins/core/errors";
import { ids, unknownEnv } from "@reins/envs";
import { sourceFromFile } from "../places/file-source.ts";
import { algorithmFromModule } from "../places/module.ts";
import { isModulePath, pythonModule } from "../places/module-path.ts";
import { isMissing } from "../places/optional.ts";
import type { EnvOptions, Source } from "../places/source.ts";
import { isExamplesPath } from "../places/text/dataset-path.ts";
import { isRewardJudge } from "../places/text/judge.ts";
import { sourceNamed } from "../places/trainable.ts";
import { noteTrust } from "../places/trust.ts";
import { matchCase } from "./spelling.ts";
import { usageError } from "./usage.ts";

/** The algorithm of this name, ignoring case. */
export function algorithmNamed(typed: string): AlgorithmMaker {
  const name = matchCase(typed, Object.keys(algorithms));
  if (Object.hasOwn(algorithms, name)) return algorithms[name];
  const env = envId(name);
  if (ids().includes(env))
    usageError(
      `missing algorithm: ${env} is an environment. Example: reins train ppo ${env}. See reins envs ${env}.`,
    );
  return usageError(
    `unknown algorithm ${name}.${didYouMean(name, Object.keys(algorithms))} Run reins algorithms for a list.`,
  );
}

/** The algorithm of this name, or from this file. */
export async function algorithmTyped(name: string): Promise<AlgorithmMaker> {
  if (Object.hasOwn(algorithms, name) || !isModulePath(name)) return algorithmNamed(name);
  noteTrust(name);
  return algorithmFromModule(name);
}

/** The id of an environment, corrected for case. */
export const envId = (typed: string): string => matchCase(typed, ids());

/** The environment of this id, or from this file. */
export async function envNamed(
  typed: string,
  options: EnvOptions = {},
  judge?: string,
  algorithm?: string,
  agent?: string,
): Promise<Source> {
  const name = envId(typed);
  if (judge !== undefined && isModulePath(judge) && !isRewardJudge(judge)) noteTrust(judge);
  if (isModulePath(name) && !isExamplesPath(name) && !ids().includes(name)) {
    noteTrust(name);
    return sourceFromFile(name, options, judge);
  }
  if (pythonModule(name) !== undefined) noteTrust(name);
  const found = await sourceNamed(name, options, judge, algorithm);
  if (found) return found;
  if (/\.parquet$/i.test(name))
    usageError(
      `${name} has examples, which need the folder of a model and a method that learns from examples: reins train sft ${name} --model ./model. For other methods, convert it to JSON Lines.`,
    );
  if (/\.(csv|tsv|json|arrow)$/i.test(name))
    usageError(
      `${name} is not a data file that can be read. Convert it to JSON Lines: problems.jsonl, with lines such as {"prompt": "2+2=", "answer": "4"}.`,
    );
  if (agent !== undefined)
    usageError(
      `${agent} was trained on ${name}, which is not registered. Give the file of the environment: reins train ./my-env.js --from ${agent}.`,
    );
  return usageError(
    `unknown environment ${name}.${unknownEnv(name) || (await nearTask(name))} Run reins envs for a list, or give a file: ./my-env.js.`,
  );
}

/** A suggestion of language tasks with a similar name. */
async function nearTask(name: string): Promise<string> {
  try {
    const { textTasks, multiTurnTasks } = await import("@reins/language");
    return didYouMean(name, Object.keys({ ...textTasks, ...multiTurnTasks }));
  } catch (error) {
    if (isMissing(error, "@reins/language")) return "";
    throw error;
  }
}
