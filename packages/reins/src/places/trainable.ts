import type { EpisodeEnvironment } from "@reins/core";
import type { TextTask } from "@reins/language";
import { type LearnerKind, learnerKindOf } from "./algorithm-by-name.ts";
import { isModulePath } from "./module-path.ts";
import { placeAt } from "./place-at.ts";
import type { EnvLike, EnvOptions, Source } from "./source.ts";
import type { JudgeLike } from "./text/judge-like.ts";
import type { Verifiable } from "./verifiable.ts";

/** What an agent can be trained on: an environment or a language task, by name or as an object; or a custom stage. */
export type Trainable = EnvLike | Verifiable | EpisodeEnvironment;

/**
 * The source of an environment or language task, without wrappers. Language tasks are loaded on demand, and accept another judge. An
 * algorithm that learns from examples gets those of a file, with the model of a folder.
 */
export async function sourceOfAny(
  from: Trainable,
  options?: EnvOptions,
  judge?: JudgeLike,
  algorithm?: string | LearnerKind,
): Promise<Source> {
  if (isTextTask(from)) {
    const { textSource } = await import("#node");
    return textSource(from as TextTask, options, judge, (await learnerKindOf(algorithm)).trains);
  }
  const named = typeof from === "string" ? await sourceNamed(from, options, judge, algorithm) : undefined;
  if (named) return named;
  if (judge !== undefined) (await import("#node")).noJudge(typeof from === "string" ? from : "judge");
  if (typeof from !== "string" && isStaged(from)) return { options: options ?? {}, savable: true, ...from };
  return placeAt(from, options);
}

/** The source of an environment, language task or file by name; undefined if there is none. */
export async function sourceNamed(
  name: string,
  options?: EnvOptions,
  judge?: JudgeLike,
  algorithm?: string | LearnerKind,
): Promise<Source | undefined> {
  const { ids, loadedSource } = await import("./environments.ts");
  if (ids().includes(name) && judge === undefined) return loadedSource(name, options);
  const { dataSource, isExamplesPath, noJudge, sourceFromFile, sourceInPython, taskNamed } = await import(
    "#node"
  );
  // Without a model there is a tiny one, whose alphabet is that of the task.
  const { learnsFrom, trains } = await learnerKindOf(algorithm);
  if (isExamplesPath(name) && options?.folder !== undefined && judge === undefined)
    if (learnsFrom === "demonstrations" || learnsFrom === "comparisons")
      return dataSource(name, options, learnsFrom, trains);
  if (ids().includes(name)) return noJudge(name);
  if (isModulePath(name) && !isExamplesPath(name)) return sourceFromFile(name, options, judge);
  const elsewhere = sourceInPython(name, options);
  if (elsewhere && judge !== undefined) return noJudge(name);
  return elsewhere ?? taskNamed(name, options, judge, trains);
}

/** A source of a stage, which plays whole episodes. */
const isStaged = (x: Exclude<Trainable, Verifiable>): x is EpisodeEnvironment =>
  typeof x === "object" && x !== null && x.stage !== undefined;

const isTextTask = (x: Trainable): x is Verifiable => typeof x === "object" && x !== null && "verify" in x;
