import type { EpisodePlace } from "@reins/core";
import { ids } from "@reins/envs";
import type { Family } from "@reins/language";
import { isModulePath } from "./module-path.ts";
import { type EnvLike, type EnvOptions, type Source, sourceOf } from "./source.ts";
import type { JudgeLike } from "./text/judge-like.ts";

/** What an agent may be trained on: an environment, or problems in words. Either is named, or given as it is. */
export type Trainable = EnvLike | EpisodePlace | Family;

/** The source of what was asked for, wrappers left aside. Problems in words are loaded when they are asked for, and may have another judge. */
export async function sourceOfAny(from: Trainable, options?: EnvOptions, judge?: JudgeLike): Promise<Source> {
  if (isFamily(from)) {
    const { textSource } = await import("#node");
    return textSource(from, options, judge);
  }
  const named = typeof from === "string" ? await sourceNamed(from, options, judge) : undefined;
  if (named) return named;
  if (judge !== undefined) (await import("#node")).noJudge(typeof from === "string" ? from : "judge");
  if (typeof from !== "string" && isStaged(from)) return { options: options ?? {}, savable: true, ...from };
  return sourceOf(from, options);
}

/** The source of an environment or of a task in words by its name, or of a file; undefined where nothing is called so. */
export async function sourceNamed(
  name: string,
  options?: EnvOptions,
  judge?: JudgeLike,
): Promise<Source | undefined> {
  if (ids().includes(name) && judge === undefined) return sourceOf(name, options);
  const { isDatasetPath, noJudge, sourceFromFile, sourceInPython, taskNamed } = await import("#node");
  if (ids().includes(name)) return noJudge(name);
  if (isModulePath(name) && !isDatasetPath(name)) return sourceFromFile(name, options, judge);
  const elsewhere = sourceInPython(name, options);
  if (elsewhere && judge !== undefined) return noJudge(name);
  return elsewhere ?? taskNamed(name, options, judge);
}

/** A stage as it is, where whole episodes are played. */
const isStaged = (x: Exclude<Trainable, Family>): x is EpisodePlace =>
  typeof x === "object" && x !== null && x.stage !== undefined;

const isFamily = (x: Trainable): x is Family => typeof x === "object" && x !== null && "verify" in x;
