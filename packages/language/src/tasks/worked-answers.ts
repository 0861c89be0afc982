import type { Generator } from "@reins/core";
import type { Family, Problem } from "./family.ts";

/** What stands between the work and the answer. */
const mark = "#";

/** Settings of {@link worked}. */
export interface WorkedOptions<T> {
  /** The steps of the work, as they are written one after another. */
  steps(problem: Omit<Problem<T>, "level">): readonly string[];
  /** Characters of steps, beside those of the family. */
  readonly alphabet?: string;
  /** Most characters of a work. */
  readonly longest: number;
  /** How many of so many steps the teacher shows (default: any number, from none to all). */
  readonly shown?: (random: Generator, steps: number) => number;
}

const any = (random: Generator, steps: number) => random.integers(steps + 1);

/**
 * A family whose answers may show their work: only what comes after the last `#` is judged. A teacher shows any number of the steps, from
 * none to all; how many are worth their length is for the model to find out.
 */
export function worked<T>(
  inner: Family<T>,
  { steps, alphabet = "", longest, shown = any }: WorkedOptions<T>,
): Family<T> {
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
      if (at < 0) return { score: 0, formed: false, why: `There is no ${mark} before the answer.` };
      return inner.verify(problem, text.slice(at + 1));
    },
    nearMisses: (problem, random) => [
      problem.answer.slice(problem.answer.lastIndexOf(mark) + 1),
      `${problem.answer}${mark}`,
      ...(inner.nearMisses?.(problem, random) ?? []).map((text) => `${mark}${text}`),
    ],
  };
}
