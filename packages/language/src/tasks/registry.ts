import { arithmetic } from "./arithmetic.ts";
import * as all from "./index.ts";
import type { TextTask } from "./text-task.ts";

const isTextTask = (x: unknown): x is TextTask =>
  typeof x === "object" && x !== null && "verify" in x && "make" in x && "levels" in x;

/** All tasks by name. */
export const textTasks: { readonly [id: string]: TextTask } = Object.fromEntries(
  [arithmetic as TextTask, ...Object.values(all).filter(isTextTask)].map((f) => [f.id, f]),
);
