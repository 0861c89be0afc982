import { algorithms } from "@reins/algorithms";
import { textTasks } from "@reins/language";
import { cacheFolder, findBook, keep } from "@reins/recipes/book";
import { imitationStart, type LanguageArmOptions, reinforceArm } from "@reins/recipes/language";
import { type Contest, model } from "./plan.ts";

/** One run. */
export interface Job extends Pick<Contest, "task" | "method" | "options" | "tokens"> {
  readonly learningRate: number;
  readonly seed: number;
}

/** The result of a run: held-out accuracy before, during and after training. */
export interface Done {
  readonly start: number;
  readonly curve: readonly number[];
  readonly seconds: number;
}

/** A run of a comparison. */
export const jobOf = (
  { task, method, options, tokens }: Contest,
  learningRate: number,
  seed: number,
): Job => ({ task, method, options, tokens, learningRate, seed });

/** Runs a job. Its initial model depends on the seed as well. */
export async function perform({ task, method, options, tokens, learningRate, seed }: Job): Promise<Done> {
  const { family, ...given } = task;
  const words: LanguageArmOptions = { ...given, ...model, task: textTasks[family], from: seed };
  const { value: start } = await keep(imitationStart(words), cacheFolder(findBook()));
  const began = performance.now();
  const { curve, before } = await reinforceArm({
    ...words,
    start,
    seed,
    greedy: true,
    problems: 300,
    looks: 5,
    algorithm: algorithms[method]({ ...options, learningRate }),
    steps: tokens,
  });
  return { start: before, curve, seconds: (performance.now() - began) / 1e3 };
}
