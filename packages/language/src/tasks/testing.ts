import { defaultRng, type Generator } from "@reins/core/random";
import { afterEach, describe, expect, it } from "vitest";
import { sampleProblem, splitOf } from "./sample-problem.ts";
import type { Problem, TextTask } from "./text-task.ts";

/** A problem solved by hand. Without `data`, the task has a single right answer. */
export interface Example<T = unknown> {
  readonly prompt: string;
  readonly data?: T;
  readonly right: readonly string[];
  readonly wrong?: readonly string[];
}

/** A language task and what its laws are tested with. */
export interface Subject<T> {
  readonly task: TextTask<T>;
  /** Whether an answer is right, computed from the prompt alone and independently of the verifier. */
  right(prompt: string, answer: string): boolean;
  readonly examples: readonly Example<T>[];
  /** Maximum characters of prompts and answers, where the usual 120 and 60 are too few. */
  readonly most?: { readonly prompt?: number; readonly answer?: number };
  /** Fraction of the usual number of samples, for verifiers that run programs (default 1). */
  readonly share?: number;
  /** Whether making a problem is slow: then fewer are compared. */
  readonly slow?: boolean;
}

/** The same text, apart from surrounding ASCII spaces. */
export const sameText = (solve: (prompt: string) => string) => {
  const solved = remembered(solve);
  return (prompt: string, answer: string) => plain(trimmed(answer)) === solved(prompt);
};

/** The same characters, apart from surrounding ASCII spaces: digits that are not a number. */
export const sameCharacters = (solve: (prompt: string) => string) => {
  const solved = remembered(solve);
  return (prompt: string, answer: string) => trimmed(answer) === solved(prompt);
};

/** Numbers without leading zeros, other texts unchanged. */
const plain = (text: string): string => (/^-?[0-9]+$/.test(text) ? `${BigInt(text)}` : text);

/** The same integer, with any number of leading zeros. */
export const sameNumber = (solve: (prompt: string) => number | bigint) => {
  const solved = remembered(solve);
  return (prompt: string, answer: string) => {
    const text = trimmed(answer);
    return /^-?[0-9]+$/.test(text) && BigInt(text) === BigInt(solved(prompt));
  };
};

/** The same integers, separated by commas. */
export const sameNumbers = (solve: (prompt: string) => string) => {
  const solved = remembered(solve);
  return (prompt: string, answer: string) => {
    const text = trimmed(answer);
    return /^-?[0-9]+(,-?[0-9]+)*$/.test(text) && text.split(",").map(BigInt).join(",") === solved(prompt);
  };
};

/** Without surrounding ASCII spaces and newlines. */
export const trimmed = (text: string): string => text.replace(/^[ \t\r\n]+/, "").replace(/[ \t\r\n]+$/, "");

/** Caches a slow solution for the many answers to one prompt. */
function remembered<T>(solve: (prompt: string) => T): (prompt: string) => T {
  let last: { prompt: string; solution: T } | undefined;
  return (prompt) => {
    if (last?.prompt !== prompt) last = { prompt, solution: solve(prompt) };
    return last.solution;
  };
}

/**
 * Throws with the observed values if a law does not hold. Cheaper than an assertion, of which there would be hundreds
 * of thousands.
 */
function must(holds: boolean, law: string, ...seen: unknown[]): void {
  if (!holds) throw new Error(`${law}: ${seen.map((x) => JSON.stringify(x)).join(" ")}`);
}

/** A language task and the helpers of its laws. */
interface Court<T> extends Subject<T> {
  readonly levels: readonly number[];
  /** A problem of a level, by its number. */
  at(level: number, index: number): Problem<T>;
  /** The verifier's score of an answer. */
  score(problem: Problem<T>, answer: string): Promise<number>;
  /** The subject's fraction of this number of samples. */
  times(draws: number): number;
}

/** The share of the usual draws: REINS_DRAWS=10 looks for rare mistakes. */
const thorough = Number(process.env.REINS_DRAWS ?? 0.2);

function courtOf<T>(subject: Subject<T>): Court<T> {
  const { task, share = 1 } = subject;
  return {
    ...subject,
    levels: Array.from({ length: task.levels }, (_, i) => i + 1),
    times: (n) => Math.ceil(share * thorough * n),
    at: (level, index) => ({ ...task.make(defaultRng([index, level]), level), level }),
    async score(problem, answer) {
      const { score, wellFormed } = await task.verify(problem, answer);
      must(score >= 0 && score <= 1, "scores go from 0 to 1", problem.prompt, answer, score);
      must(wellFormed || score === 0, "malformed answers score 0", problem.prompt, answer, score);
      return score;
    },
  };
}

/** The laws of every task, as tests. */
export function laws<T>(subject: Subject<T>): void {
  const court = courtOf(subject);
  describe(subject.task.id, () => {
    // Synchronous verdicts never yield to the event loop, which the test runner's messages need.
    afterEach(() => new Promise<void>((resolve) => setImmediate(resolve)));
    lawsOfProblems(court);
    lawsOfVerdicts(court);
    lawsOfCheating(court);
  });
}

/** Problems are right, repeatable and many. */
function lawsOfProblems<T>({ task, right, most, slow, levels, at, score, times }: Court<T>): void {
  it("accepts its own reference answers, within its alphabet and length", async () => {
    expect(task.levels).toBeGreaterThanOrEqual(5);
    expect(task.levels).toBeLessThanOrEqual(10);
    expect(task.longest.prompt).toBeLessThanOrEqual(most?.prompt ?? 120);
    expect(task.longest.answer).toBeLessThanOrEqual(most?.answer ?? 60);
    const alphabet = new Set(task.alphabet);
    expect(alphabet.size).toBe(task.alphabet.length);
    for (const level of levels) {
      const longest = level === 1 ? { prompt: 30, answer: 10 } : task.longest;
      for (let i = 0; i < times(100); i++) {
        const problem = at(level, i);
        const { prompt, answer } = problem;
        must((await score(problem, answer)) === 1, "its own answer is right", prompt, answer);
        must((await score(problem, ` ${answer}\n`)) === 1, "spaces around it do not count", prompt, answer);
        must(right(prompt, answer), "the independent judge agrees", prompt, answer);
        must(answer.length > 0, "no answer is empty", prompt);
        must(
          [...prompt, ...answer].every((c) => alphabet.has(c)),
          "the alphabet suffices",
          prompt,
          answer,
        );
        must(prompt.length <= longest.prompt, `prompts are no longer than ${longest.prompt}`, level, prompt);
        must(answer.length <= longest.answer, `answers are no longer than ${longest.answer}`, level, answer);
      }
    }
  });

  it("makes the same problem from the same generator, as plain data", () => {
    for (const level of levels)
      for (let i = 0; i < 3; i++) {
        const problem = at(level, i);
        expect(at(level, i)).toEqual(problem);
        expect(JSON.parse(JSON.stringify(problem))).toEqual(problem);
      }
  });

  /** Number of distinct prompts in a number of samples of a level. */
  const different = (level: number, draws: number) =>
    new Set(Array.from({ length: draws }, (_, i) => at(level, i).prompt)).size;

  it("has many problems on both sides of the division, and none on both", () => {
    for (const level of levels) {
      const [train, test] = (["train", "test"] as const).map((split) =>
        Array.from({ length: 5 }, (_, i) => sampleProblem(task, level, split, i).prompt),
      );
      expect(train.filter((prompt) => test.includes(prompt))).toEqual([]);
      expect(test.every((prompt) => splitOf(prompt) === "test")).toBe(true);
      // Of m draws from n equally likely problems about m²/2n are repeated: 142 different ones of 150 say n > 1400.
      expect(different(level, 150), `level ${level}`).toBeGreaterThan(level < 4 ? 50 : 142);
    }
    expect(different(task.levels, 500)).toBeGreaterThan(496);
  });

  // One or two repeats in 1500 samples indicate about a million problems.
  it.skipIf(slow)("has about a million problems at the highest level", { tags: ["slow"] }, () => {
    expect(different(task.levels, 1500)).toBeGreaterThan(1496);
  });
}

/** Right and nearly right answers, judged by hand, by an independent check, and by the verifier. */
function lawsOfVerdicts<T>({ task, right, examples, levels, at, score, times }: Court<T>): void {
  it("gives no full score to near misses", async () => {
    for (const level of levels)
      for (let i = 0; i < times(20); i++) {
        const problem = at(level, i);
        const wrong = task.nearMisses?.(problem, defaultRng(i)) ?? [];
        must(wrong.length > 2, "has near misses", problem.prompt);
        for (const answer of wrong) {
          must((await score(problem, answer)) < 1, "near misses are not right", problem.prompt, answer);
          must(
            !right(problem.prompt, answer),
            "near misses are wrong for the independent judge too",
            problem.prompt,
            answer,
          );
        }
      }
  });

  it("agrees with an independent judge on changed answers", async () => {
    for (const level of levels)
      for (let i = 0; i < times(20); i++) {
        const problem = at(level, i);
        const random = defaultRng([i, level, 7]);
        const tried = [at(level, i + 500).answer];
        for (let k = 0; k < 5; k++) tried.push(changed(tried[k], task.alphabet, random));
        for (let k = 0; k < 8; k++) tried.push(changed(problem.answer, task.alphabet, random));
        for (const answer of tried)
          must(
            ((await score(problem, answer)) === 1) === right(problem.prompt, answer),
            "the verifier and the independent judge agree",
            problem.prompt,
            answer,
          );
      }
  });

  it("judges problems solved by hand", async () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const { prompt, data, right: good, wrong = [] } of examples) {
      const problem = { prompt, answer: good[0], level: 1, data: data ?? ({ value: good[0] } as T) };
      for (const answer of good) {
        must((await score(problem, answer)) === 1, "right", prompt, answer);
        must(right(prompt, answer), "right for the independent judge", prompt, answer);
      }
      for (const answer of wrong) {
        must((await score(problem, answer)) < 1, "wrong", prompt, answer);
        must(!right(prompt, answer), "wrong for the independent judge", prompt, answer);
      }
    }
  });
}

/** Answers that must not score without solving anything. */
function lawsOfCheating<T>({ task, right, levels, at, score, times }: Court<T>): void {
  it("scores 0 for repeated prompts, several answers at once and look-alikes", async () => {
    for (const level of levels)
      for (let i = 0; i < times(5); i++) {
        const problem = at(level, i);
        for (const answer of cheats(problem, at(level, i + 700).answer))
          if (!right(problem.prompt, answer))
            must((await score(problem, answer)) === 0, "cheats have no score", problem.prompt, answer);
      }
  });

  it("judges long nonsense", async () => {
    for (const level of [1, task.levels]) {
      const problem = at(level, 0);
      for (const answer of nonsense(problem, task.alphabet)) {
        if (/^0+$/.test(answer)) continue; // another spelling of zero
        must(
          (await score(problem, answer)) === 0,
          "nonsense has no score",
          problem.prompt,
          answer.slice(0, 40),
        );
      }
    }
  });

  it("is not solved by a constant answer at its highest level", async () => {
    const problems = Array.from({ length: 20 }, (_, i) => at(task.levels, i));
    const answers = Array.from({ length: 20 }, (_, i) => at(task.levels, 900 + i).answer);
    let solved = 0;
    for (const problem of problems)
      for (const answer of answers) if ((await score(problem, answer)) === 1) solved++;
    expect(solved).toBeLessThan(20);
  });
}

/** One character removed, inserted, replaced, or two swapped. */
function changed(text: string, alphabet: string, random: Generator): string {
  const characters = [...text];
  const at = random.integers(characters.length + 1);
  const other = random.integers(characters.length + 1);
  const kind = random.integers(4);
  if (kind === 0) characters.splice(at, 1);
  else if (kind === 1) characters.splice(at, 0, random.choice(alphabet));
  else if (kind === 2) characters.splice(at, 1, random.choice(alphabet));
  else if (at < text.length && other < text.length)
    [characters[at], characters[other]] = [characters[other], characters[at]];
  return characters.join("");
}

/** Answers that a careless verifier would accept: they contain the right one, or seem to. */
function cheats({ prompt, answer }: Problem, other: string): string[] {
  const wide = [...answer].map((c) => String.fromCodePoint(c.codePointAt(0)! + 0xfee0)).join("");
  return [
    prompt,
    prompt + answer,
    `${prompt}\n${answer}`,
    answer + answer,
    `${answer} ${answer}`,
    `${answer},${answer}`,
    `${answer}\n${answer}`,
    `${answer}\n${other}`,
    `${answer} or ${other}`,
    `${other}|${answer}`,
    `=${answer}`,
    `${answer}=`,
    `[${answer}]`,
    `"${answer}"`,
    `\u00a0${answer}`,
    `${answer}\u200b`,
    `\ufeff${answer}`,
    `${answer[0]}\u200d${answer.slice(1)}`,
    `${answer}\u0000`,
    wide,
    `${answer}#`,
    "",
    " ",
  ];
}

/** Texts of about 10 kB. */
function nonsense({ prompt, answer }: Problem, alphabet: string): string[] {
  const random = defaultRng(0);
  const size = 10_000;
  const filled = (part: string) => part.repeat(Math.ceil(size / part.length));
  return [
    ..."9(-) ,/.*a1#+0".split("").map(filled),
    ...["1,", "1/", "(1+", "a,", "\ud83d\ude00", "\ud800", "1 ", " \t", "()", "1+", "-1"].map(filled),
    filled(answer),
    filled(`${answer},`),
    filled(prompt),
    `${answer}${" ".repeat(size)}${answer}`,
    `${"0".repeat(size)}x`,
    `1/${"0".repeat(size)}`,
    Array.from({ length: size }, () => random.choice(alphabet)).join(""),
  ];
}
