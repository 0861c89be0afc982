import { fail } from "@reins/core";
import { existsSync, readFileSync } from "#node";
import { hash } from "./draw.ts";
import type { Family, Problem } from "./family.ts";
import { type Judging, lastNumber, rightAnswer, verifierOf } from "./judging.ts";
import { type DatasetLine, problemIn, sideOf } from "./lines.ts";

export type { DatasetLine } from "./lines.ts";

/** Settings of {@link dataset}. */
export interface DatasetOptions {
  /** What an answer is worth: `"exact"` (the default), `"number"`, or a function of the answer and the problem. */
  readonly judge?: Judging;
  /**
   * The share of problems that are held out to measure by, where no line says its `split` (default 0.1). 0: none, and what is measured is
   * how well the training problems are known.
   */
  readonly test?: number;
  /** Its name; by default that of the file. */
  readonly id?: string;
}

/** Problems of a file as a task. */
export interface Dataset extends Family<DatasetLine> {
  readonly listed: NonNullable<Family<DatasetLine>["listed"]>;
  /** What tells these lines from others: a run goes on exactly with the same alone. */
  readonly digest: string;
  /** Where they came from, if that was a file. */
  readonly file?: string;
  readonly judge: Judging;
  readonly test: number;
}

/**
 * A task from a file of JSON lines, each with a `prompt` and its `answer`, or with `messages`; for imitation also with a `text`, or with what
 * was `chosen`. The lines themselves will do as well.
 *
 *     await train({ algorithm: "grpo", env: dataset("problems.jsonl", { judge: "number" }), envOptions: { folder: "./model" } });
 */
export function dataset(from: string | readonly DatasetLine[], options: DatasetOptions = {}): Dataset {
  const file = typeof from === "string" ? from : undefined;
  const { judge = "exact", test = 0.1, id = file === undefined ? "dataset" : nameOf(file) } = options;
  if (!(test >= 0 && test < 1)) fail(id, `the share for testing is ${test}; it must be from 0 to below 1.`);
  const lines = typeof from === "string" ? readLines(from) : from.map((line, i) => ({ line, number: i + 1 }));
  const named = file ?? id;
  const all = lines.map(({ line, number }) => {
    const at = `${named}, line ${number}`;
    const problem = problemIn(line, at);
    checkAnswer(problem, judge, at);
    return problem;
  });
  if (all.length === 0) fail(named, "it has no problems.");
  const longest = (of: (p: Problem) => string) => all.reduce((most, p) => Math.max(most, of(p).length), 0);
  return {
    id,
    about: "",
    levels: 1,
    get alphabet() {
      const found = new Set<string>();
      for (const { prompt, answer } of all) for (const c of prompt + answer) found.add(c);
      return [...found].sort().join("");
    },
    longest: { prompt: longest((p) => p.prompt), answer: longest((p) => p.answer) },
    listed: divided(all, test, named),
    digest: hash(JSON.stringify(lines.map(({ line }) => line))).toString(16),
    ...(file === undefined ? {} : { file }),
    judge,
    test,
    make: (random) => all[random.integers(all.length)],
    verify: verifierOf(judge, id),
  };
}

const nameOf = (file: string) => file.replace(/^.*[/\\]/, "").replace(/\.jsonl?$/, "");

/** What the lines of a file say, with their numbers there: empty ones are left out. */
function readLines(file: string): { line: DatasetLine; number: number }[] {
  if (!existsSync(file)) fail(file, "there is no such file.");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return fail(file, `it cannot be read (${(error as Error).message}).`);
  }
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((line, i) => {
      if (line.trim() === "") return [];
      try {
        return [{ line: JSON.parse(line) as DatasetLine, number: i + 1 }];
      } catch (error) {
        return fail(`${file}, line ${i + 1}`, `it is not JSON (${(error as Error).message}).`);
      }
    });
}

/** Stops where a judge by name has nothing to compare with. */
function checkAnswer(problem: Problem, judge: Judging, at: string): void {
  const right = rightAnswer(problem);
  // What nobody asks for is not judged.
  if (problem.alone) return;
  if (judge === "exact" && right === "")
    fail(at, "it has no answer to compare with. Give it one, or give a judge that needs none.");
  if (judge === "number" && lastNumber(right) === undefined)
    fail(at, `there is no number in its answer, ${JSON.stringify(right.slice(0, 60))}. Take another judge.`);
}

/** Both sides. A prompt, or a text that has none, is on one of them however often it comes; which, its text alone decides, where lines do not say. */
function divided(all: readonly Problem<DatasetLine>[], share: number, named: string): Dataset["listed"] {
  const own = all.some((p) => p.data.split !== undefined);
  const keyOf = (p: Problem) => (p.alone ? p.answer : p.prompt);
  const prompts = [...new Set(all.map(keyOf))];
  const order = prompts.map((prompt) => ({ prompt, at: hash(prompt) })).sort((a, b) => a.at - b.at);
  const count = share === 0 || prompts.length < 2 ? 0 : Math.max(1, Math.round(share * prompts.length));
  const held = new Set(order.slice(0, count).map((o) => o.prompt));
  const isTest = (p: Problem<DatasetLine>) => (own ? sideOf(p.data) === "test" : held.has(keyOf(p)));
  const [train, test] = [all.filter((p) => !isTest(p)), all.filter(isTest)];
  if (train.length === 0) fail(named, "all of its lines are for testing: there is nothing to learn from.");
  return { train, test: test.length ? test : train };
}
