import { fail } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import type { Problem, TextTask } from "./text-task.ts";

/** Training or test split. */
export type Split = "train" | "test";

/**
 * One problem in ten is for testing. A hash of the prompt and its image decides, so that no problem is in both
 * splits.
 */
export function splitOf(prompt: string, image?: Problem["image"]): Split {
  return hash(image ? `${prompt}\n${image.shape.join()}\n${image.cells.join()}` : prompt) % 10 === 0
    ? "test"
    : "train";
}

/** Attempts before a task counts as too small for both splits. */
const patience = 1000;

/** Samples problem number `index` of a task at a level: the same numbers give the same problem. */
export function sampleProblem<T>(
  task: TextTask<T>,
  level: number,
  split: Split,
  index: number,
  seed = 0,
): Problem<T> {
  if (!Number.isInteger(level) || level < 1 || level > task.levels)
    fail(`task ${task.id}`, `level is ${level}; it must be from 1 to ${task.levels}.`);
  if (task.listed) {
    const side = task.listed[split];
    return side[index % side.length];
  }
  const random = defaultRng([seed, index, level, hash(task.id)]);
  for (let i = 0; i < patience; i++) {
    const problem = task.make(random, level);
    if (splitOf(problem.key ?? problem.prompt, problem.image) === split) return { ...problem, level };
  }
  return fail(`task ${task.id}`, `level ${level} has no problems in the ${split} split.`);
}

/** FNV-1a over the characters, with a final mix so that the low bits are uniform. */
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
