import { join } from "node:path";
import { type Cluster, clustersOf } from "../cluster.ts";
import { readJson, readList } from "../result.ts";
import type { Idea } from "./ideas.ts";
import type { TaskNames } from "./system-line.ts";

/** Data of a book beyond its rows, for its pages. */
export interface BookTexts {
  readonly clusters: readonly Cluster[];
  readonly ideas: readonly Idea[];
  readonly tasks: TaskNames;
}

/** Reads `clusters.json`, `ideas.json` and `tasks.json`. */
export const textsOf = (book: string): BookTexts => ({
  clusters: clustersOf(book),
  ideas: readList<Idea>(join(book, "ideas.json")),
  tasks: readJson<TaskNames>(join(book, "tasks.json")) ?? {},
});
