import type { Generator } from "@reins/core/random";
import type { Problem, TextTask } from "./text-task.ts";

/** Separator of steps and answer. */
const mark = "#";

/** Settings of {@link withSteps}. */
export interface StepsOptions<T> {
  /** The steps, in order. */
  steps(problem: Omit<Problem<T>, "level">): readonly string[];
  /** Characters of steps, in addition to the task's. */
  readonly alphabet?: string;
  /** Maximum characters of all steps. */
  readonly longest: number;
  /** How many of the steps the teacher shows (default: a random number, from none to all). */
  readonly shown?: (random: Generator, steps: number) => number;
}

const any = (random: Generator, steps: number) => random.integers(steps + 1);

/**
 * A language task whose answers may show intermediate steps: only the part after the last `#` is judged. A teacher shows any
 * number of the steps, from none to all; the model must learn how many are worth their length.
 */
export function withSteps<T>(
  inner: TextTask<T>,
  { steps, alphabet = "", longest, shown = any }: StepsOptions<T>,
): TextTask<T> {
  return {
    ...inner,
    id: `worked-${inner.id}`,
    about: `${inner.about} The work may be shown before the answer.`,
    alphabet: [...new Set(inner.alphabet + alphabet + mark)].join(""),
    longest: { ...inner.longest, answer: inner.longest.answer + longest + mark.length },
    make(random, level) {
      const problem = inner.make(random, level);
      const all = steps(problem);
      const work = all.slice(0, shown(random, all.length));
      return { ...problem, answer: `${work.join("")}${mark}${problem.answer}` };
    },
    verify(problem, text) {
      const at = text.lastIndexOf(mark);
      if (at < 0) return { score: 0, wellFormed: false, why: `There is no ${mark} before the answer.` };
      return inner.verify(problem, text.slice(at + 1));
    },
    nearMisses: (problem, random) => [
      problem.answer.slice(problem.answer.lastIndexOf(mark) + 1),
      `${problem.answer}${mark}`,
      ...(inner.nearMisses?.(problem, random) ?? []).map((text) => `${mark}${text}`),
    ],
  };
}
