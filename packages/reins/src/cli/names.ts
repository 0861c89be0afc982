import { algorithms } from "@reins/algorithms";
import { type AlgorithmMaker, didYouMean } from "@reins/core";
import { ids, unknownEnv } from "@reins/envs";
import { sourceFromFile } from "../places/file-source.ts";
import { algorithmFromModule } from "../places/module.ts";
import { isModulePath, pythonModule } from "../places/module-path.ts";
import { isMissing } from "../places/optional.ts";
import type { EnvOptions, Source } from "../places/source.ts";
import { isDatasetPath } from "../places/text/dataset-path.ts";
import { sourceNamed } from "../places/trainable.ts";
import { noteTrust } from "../places/trust.ts";
import { spelled } from "./spelled.ts";
import { misuse } from "./usage.ts";

/** The algorithm of a name that was typed. */
export function algorithmNamed(typed: string): AlgorithmMaker {
  const name = spelled(typed, Object.keys(algorithms));
  if (Object.hasOwn(algorithms, name)) return algorithms[name];
  const env = envSpelled(name);
  if (ids().includes(env))
    misuse(`which algorithm? ${env} is an environment. As in reins train ppo ${env}; see reins envs ${env}.`);
  return misuse(
    `there is no algorithm ${name}.${didYouMean(name, Object.keys(algorithms))} Type reins algorithms for all of them.`,
  );
}

/** The algorithm of a name, or of a file, that was typed. */
export async function algorithmTyped(name: string): Promise<AlgorithmMaker> {
  if (Object.hasOwn(algorithms, name) || !isModulePath(name)) return algorithmNamed(name);
  noteTrust(name);
  return algorithmFromModule(name);
}

/** The id of an environment as it is written, where only capitals were typed otherwise. */
export const envSpelled = (typed: string): string => spelled(typed, ids());

/** The environments of an id, or of a file, that was typed. */
export async function envNamed(typed: string, options: EnvOptions = {}, judge?: string): Promise<Source> {
  const name = envSpelled(typed);
  if (judge !== undefined && isModulePath(judge)) noteTrust(judge);
  if (isModulePath(name) && !isDatasetPath(name) && !ids().includes(name)) {
    noteTrust(name);
    return sourceFromFile(name, options, judge);
  }
  if (pythonModule(name) !== undefined) noteTrust(name);
  const found = await sourceNamed(name, options, judge);
  if (found) return found;
  return misuse(
    `there is no environment ${name}.${unknownEnv(name) || (await nearTask(name))} Type reins envs for all of them, or give a file: ./my-env.js.`,
  );
}

/** Tasks in words that are nearly called so. */
async function nearTask(name: string): Promise<string> {
  try {
    const { families, worlds } = await import("@reins/language");
    return didYouMean(name, Object.keys({ ...families, ...worlds }));
  } catch (error) {
    if (isMissing(error, "@reins/language")) return "";
    throw error;
  }
}
