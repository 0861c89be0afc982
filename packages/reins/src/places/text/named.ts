import { unknownEnv } from "@reins/envs";
import type { Family } from "@reins/language";
import { isMissing, notInstalled } from "../optional.ts";
import type { EnvOptions, TextSource } from "../source.ts";
import { isDatasetPath } from "./dataset-path.ts";
import type { JudgeLike } from "./judge-like.ts";

/** The source of a family by its name, or of a file of JSON lines; undefined where there is none. Tasks in words are a package of their own. */
export async function taskNamed(
  name: string,
  options?: EnvOptions,
  judge?: JudgeLike,
): Promise<TextSource | undefined> {
  const task = await import("./task.ts").catch((error: unknown) => {
    if (!isMissing(error, "@reins/language")) throw error;
    // What is written like an environment, or nearly called like one, is no task.
    const isTask = isDatasetPath(name) || (/^[a-z][a-z-]*$/.test(name) && !unknownEnv(name));
    return isTask ? notInstalled("@reins/language", name)(error) : undefined;
  });
  return task?.taskNamed(name, options, judge);
}

/** A task in words as a source, perhaps with another judge than its own. */
export async function textSource(
  family: Family,
  options?: EnvOptions,
  judge?: JudgeLike,
): Promise<TextSource> {
  const task = await import("./task.ts").catch(notInstalled("@reins/language", family.id));
  return task.textSource(family, options, judge);
}
