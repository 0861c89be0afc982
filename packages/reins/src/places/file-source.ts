import type { TextTask } from "@reins/language";
import { noteTask } from "./close-tasks.ts";
import { opened, sourceFromModule } from "./module.ts";
import type { EnvOptions, Source } from "./source.ts";
import { noJudge } from "./text/judge.ts";
import type { JudgeLike } from "./text/judge-like.ts";
import { textSource } from "./text/task-by-name.ts";

/**
 * The environment or language task of a file of code: its default export, or its export `task`, which is the result of
 * `textTask` or `dataset`.
 */
export async function sourceFromFile(
  path: string,
  options: EnvOptions = {},
  judge?: JudgeLike,
): Promise<Source> {
  const { file, exported } = await opened(path, "an environment: ./my-env.js");
  const task = exported.default ?? exported.task;
  if (isTextTask(task)) {
    noteTask(task);
    const source = await textSource(task, options, judge);
    const { dataset: _file, test: _share, ...more } = source.more ?? {};
    return { ...source, more: { ...(judge === undefined ? {} : more), module: file } };
  }
  return judge === undefined ? sourceFromModule(path, options) : noJudge(path);
}

const isTextTask = (x: unknown): x is TextTask =>
  typeof x === "object" && x !== null && "verify" in x && "longest" in x;
