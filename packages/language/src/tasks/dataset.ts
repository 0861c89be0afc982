import { fail } from "@reins/core";
import { existsSync, readFileSync } from "#node";
import { nestedDeeper } from "../json-depth.ts";
import { stackIsFull } from "../time-limit.ts";
import { transcript } from "../tokenizers/message.ts";
import { endsInPart, type JudgeOption, lastNumber, rightAnswer, verifierOf } from "./judge.ts";
import { type DatasetLine, problemIn, sideOf } from "./lines.ts";
import { hash } from "./sample-problem.ts";
import type { Problem, TextTask } from "./text-task.ts";

export type { DatasetLine } from "./lines.ts";

/** Settings of {@link dataset}. */
export interface DatasetOptions {
  /** How answers are rewarded: `"exact"` (default), `"number"`, or a function of the answer and the problem. */
  readonly judge?: JudgeOption;
  /**
   * Fraction of problems held out for evaluation, where lines have no `split` (default 0.1). With 0, evaluation uses
   * the training problems.
   */
  readonly test?: number;
  /** Name (default: the file's). */
  readonly id?: string;
}

/** A language task from a dataset. */
export interface Dataset extends TextTask<DatasetLine> {
  readonly listed: NonNullable<TextTask<DatasetLine>["listed"]>;
  /** Held-out prompts that training lines have too, where lines have a `split`. */
  readonly leaked: number;
  /** Hash of the lines: a run can be resumed exactly only with the same lines. */
  readonly digest: string;
  /** The file, if the lines came from one. */
  readonly file?: string;
  readonly judge: JudgeOption;
  readonly test: number;
}

/**
 * A language task from a JSON Lines file, each line with a `prompt` and its `answer`, or with `messages`; for
 * imitation also with a `text`, or with a `chosen` answer. An array of lines works too.
 *
 *     await train({ algorithm: "grpo", env: dataset("problems.jsonl", { judge: "number" }), envOptions: { folder: "./model" } });
 */
export function dataset(from: string | readonly DatasetLine[], options: DatasetOptions = {}): Dataset {
  const file = typeof from === "string" ? from : undefined;
  const { judge = "exact", test = 0.1, id = file === undefined ? "dataset" : nameOf(file) } = options;
  if (!(test >= 0 && test < 1)) fail(id, `test is ${test}; it must be at least 0 and below 1.`);
  const lines = typeof from === "string" ? readLines(from) : from.map((line, i) => ({ line, number: i + 1 }));
  const named = file ?? id;
  const all = lines.map(({ line, number }) => {
    const at = `${named}, line ${number}`;
    const problem = problemIn(line, at);
    checkAnswer(problem, judge, at);
    return problem;
  });
  if (all.length === 0) fail(named, "the dataset is empty. Add at least one line.");
  const listed = divided(all, test, named);
  const longest = (of: (p: Problem) => string) => all.reduce((most, p) => Math.max(most, of(p).length), 0);
  return {
    id,
    about: "",
    levels: 1,
    get alphabet() {
      const found = new Set<string>();
      for (const p of all) for (const c of [promptOf(p), ...answersOf(p)].join("")) found.add(c);
      return [...found].sort().join("");
    },
    longest: { prompt: longest(promptOf), answer: longest((p) => longestOf(answersOf(p))) },
    listed,
    leaked: leaksIn(listed),
    digest: digestOf(lines, named),
    ...(file === undefined ? {} : { file }),
    judge,
    test,
    make: (random) => all[random.integers(all.length)],
    verify: verifierOf(judge, id),
  };
}

/** A prompt as a model without a chat template reads it. */
const promptOf = ({ prompt, messages }: Problem) => (messages ? transcript(messages) : prompt);
/** The answer and all recorded completions. */
const answersOf = ({ answer, candidates = [] }: Problem) => [answer, ...candidates.map((c) => c.text)];
const longestOf = (texts: readonly string[]) => texts.reduce((a, b) => (b.length > a.length ? b : a));

const nameOf = (file: string) => file.replace(/^.*[/\\]/, "").replace(/\.jsonl?$/, "");

/** The parsed lines of a file with their line numbers, without empty lines. */
function readLines(file: string): { line: DatasetLine; number: number }[] {
  if (!existsSync(file)) fail(file, "the file does not exist.");
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return fail(file, `cannot read the file (${(error as Error).message}).`);
  }
  return textOf(bytes, file)
    .split("\n")
    .flatMap((line, i) => {
      if (line.trim() === "") return [];
      if (nestedDeeper(line, deepest)) tooDeep(`${file}, line ${i + 1}`);
      try {
        return [{ line: JSON.parse(line) as DatasetLine, number: i + 1 }];
      } catch (error) {
        return fail(`${file}, line ${i + 1}`, `invalid JSON (${(error as Error).message}).`);
      }
    });
}

/** Maximum nesting depth of a line. */
const deepest = 1000;

const tooDeep = (at: string): never =>
  fail(at, `the line is nested more than ${deepest} levels deep. Flatten its fields, or remove them.`);

/** Hash of the lines. */
function digestOf(lines: readonly { line: DatasetLine; number: number }[], named: string): string {
  try {
    return hash(JSON.stringify(lines.map(({ line }) => line))).toString(16);
  } catch (error) {
    if (!stackIsFull(error)) throw error;
    return tooDeep(named);
  }
}

/** The text of a file. Other encodings are refused: their letters would become replacement characters, which are learned. */
function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return fail(
      file,
      code === "ERR_ENCODING_INVALID_ENCODED_DATA"
        ? "the file is not valid UTF-8. Convert it to UTF-8."
        : `cannot read the file (${message}).`,
    );
  }
}

/** Throws if a named judge has no reference answer to compare with. */
function checkAnswer(problem: Problem, judge: JudgeOption, at: string): void {
  const right = rightAnswer(problem);
  // Texts without a prompt are not judged.
  if (problem.alone) return;
  if (judge === "exact" && right === "")
    fail(at, "the line has no answer to compare with. Add one, or use a judge function.");
  if (judge === "number" && lastNumber(right) === undefined)
    fail(at, `the answer ${JSON.stringify(right.slice(0, 60))} contains no number. Use another judge.`);
  if (judge === "number" && endsInPart(right))
    fail(
      at,
      `the answer ${JSON.stringify(right.slice(-60))} is not one number: only its last part would be compared. Write it as a decimal, or use another judge.`,
    );
}

/** What two lines of one problem have in common. */
const keyOf = (p: Problem) => (p.alone ? p.answer : p.prompt);

/** The number of held-out prompts that are also trained on. */
function leaksIn({ train, test }: Dataset["listed"]): number {
  if (train === test) return 0;
  const trained = new Set(train.map(keyOf));
  return [...new Set(test.map(keyOf))].filter((key) => trained.has(key)).length;
}

/**
 * Training and test problems: the `split` of each line or, without any, a hash of the prompt (of a text without a
 * prompt: of the text), so that all lines with the same prompt are on the same side.
 */
function divided(all: readonly Problem<DatasetLine>[], share: number, named: string): Dataset["listed"] {
  const own = all.some((p) => p.data.split !== undefined);
  const prompts = [...new Set(all.map(keyOf))];
  const order = prompts.map((prompt) => ({ prompt, at: hash(prompt) })).sort((a, b) => a.at - b.at);
  const count = share === 0 || prompts.length < 2 ? 0 : Math.max(1, Math.round(share * prompts.length));
  const held = new Set(order.slice(0, count).map((o) => o.prompt));
  const isTest = (p: Problem<DatasetLine>) => (own ? sideOf(p.data) === "test" : held.has(keyOf(p)));
  const [train, test] = [all.filter((p) => !isTest(p)), all.filter(isTest)];
  if (train.length === 0) fail(named, "all lines are in the test split. Add training lines or lower test.");
  return { train, test: test.length ? test : train };
}
