import type { LearnsFrom, Trains } from "@reins/core";
import { unknownEnv } from "@reins/envs";
import type { TextTask } from "@reins/language";
import { isMissing, notInstalled } from "../optional.ts";
import type { EnvOptions, TextSource } from "../source.ts";
import { isDatasetPath } from "./dataset-path.ts";
import type { JudgeLike } from "./judge-like.ts";

/** The source of a language task by name, or of a JSON Lines file; undefined if there is none. Language tasks are in an optional package. */
export async function taskNamed(
  name: string,
  options?: EnvOptions,
  judge?: JudgeLike,
  trains?: Trains,
): Promise<TextSource | undefined> {
  const task = await import("./task.ts").catch((error: unknown) => {
    if (!isMissing(error, "@reins/language")) throw error;
    // A name in the form of an environment id, or close to one, is not a language task.
    const isTask = isDatasetPath(name) || (/^[a-z][a-z-]*$/.test(name) && !unknownEnv(name));
    return isTask ? notInstalled("@reins/language", name)(error) : undefined;
  });
  return task?.taskNamed(name, options, judge, trains);
}

/** The source of a file of examples for the model of a folder. */
export async function dataSource(
  file: string,
  options: EnvOptions = {},
  learnsFrom?: LearnsFrom,
  trains?: Trains,
): Promise<TextSource> {
  const sources = await import("./data.ts").catch(notInstalled("@reins/language", file));
  return sources.dataSource(file, options, learnsFrom, trains);
}

/** The source of a language task, optionally with another judge. */
export async function textSource(
  task: TextTask,
  options?: EnvOptions,
  judge?: JudgeLike,
  trains?: Trains,
): Promise<TextSource> {
  const sources = await import("./task.ts").catch(notInstalled("@reins/language", task.id));
  return sources.textSource(task, options, judge, trains);
}
