import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import type { Problem, TextTask, Verification } from "./text-task.ts";

/** Result of a custom judge: a reward, or named terms, which are summed where no reward is given. */
export type JudgeResult =
  | number
  | {
      readonly reward?: number;
      /** Named terms of the reward; each is logged. */
      readonly terms?: { readonly [name: string]: number };
      readonly wellFormed?: boolean;
      /** The final answer in the text, in one spelling: majority voting counts equal ones together (default: the text). */
      readonly answer?: string;
      readonly why?: string;
    };

/**
 * A custom judge: the reward of an answer to a problem. As the type of a method, it also accepts a function of a narrower problem,
 * such as `(answer: string, problem: Problem<DatasetLine>) => number`.
 */
export type AnswerJudge<T = unknown> = {
  judge(answer: string, problem: Problem<T>): JudgeResult | Promise<JudgeResult>;
}["judge"];

/**
 * A named judge or a custom one. `exact` compares texts, ignoring surrounding blanks; `number` compares the last
 * number of each.
 */
export type JudgeOption = "exact" | "number" | AnswerJudge;

/** The task with another judge. */
export function withJudge<T>(task: TextTask<T>, judge: JudgeOption): TextTask<T> {
  return { ...task, verify: verifierOf(judge, task.id) };
}

/** A judge as a verifier. */
export function verifierOf(judge: JudgeOption, name: string): TextTask["verify"] {
  if (judge === "exact") return byText;
  if (judge === "number") return byNumber;
  if (typeof judge !== "function")
    fail(
      name,
      `judge is ${describeValue(judge)}. Use "exact", "number" or a function: (answer, problem) => answer === problem.answer ? 1 : 0.`,
    );
  return async (problem, answer) => verificationOf(await judge(answer, problem), name);
}

/** The reference answer: the line's own answer, where the last turn of a conversation is only one way to express it. */
export function rightAnswer({ data, answer }: Problem): string {
  const own = (data as { readonly answer?: unknown } | null)?.answer;
  return own === undefined || own === null ? answer : String(own);
}

/** A number in a text: with separators of thousands, or without a digit before the point. A minus after a digit is an operator. */
const numbers =
  /(?:(?<!\d)[-\u2212])?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|(?<![\d.])\.\d+)(?:e[+-]?\d+)?/gi;

/** Characters before a number that decide whether it is a part of a value. */
const looked = 60;

/**
 * The end of a text before a number that is only a part of a value: the denominator of a fraction, an exponent, a
 * radicand, minutes, the last term of a sum or factor of a product.
 */
const partial =
  /(?:[\d)}\]]\s*\/\s*|\d:|[\p{L}\d)}\]]\s*\^\s*|\u221a\s*|\\sqrt\s*(?:\[[^\]]*\]\s*)?|\d\s*[+*\u00d7\u00b7]\s*|\\[dt]?frac\s*\{[^{}]*\}\s*\{[^{}]*)[-\u2212({]*$/u;

/** The last number of a text, and whether it is only a part of a value. */
function lastNumberIn(text: string): { readonly digits: string; readonly isPart: boolean } | undefined {
  let last: RegExpExecArray | undefined;
  for (const found of text.matchAll(numbers)) last = found;
  if (!last) return undefined;
  const [digits] = last;
  const before = text.slice(Math.max(0, last.index - looked), last.index);
  return { digits: digits.replaceAll(",", "").replace("\u2212", "-"), isPart: partial.test(before) };
}

/** The last number of a text, parsed: `1,234.50` is 1234.5. */
export function lastNumber(text: string): number | undefined {
  const found = lastNumberIn(text);
  return found && Number(found.digits);
}

/** Whether the last number of a text is only a part of a value, as in `3/4`, `\\frac{3}{4}`, `cm^2`, `3 + 4` and `12:30`. */
export const endsInPart = (text: string): boolean => lastNumberIn(text)?.isPart ?? false;

/** Whether two numbers are equal. Integers are compared digit by digit: above 2^53 different ones have the same double. */
function equal(a: string, b: string): boolean {
  const areWhole = [a, b].every((x) => /^-?\d+$/.test(x));
  if (areWhole) return withoutZeros(a) === withoutZeros(b);
  const [x, y] = [Number(a), Number(b)];
  return a === b || (x === y && Number.isFinite(x));
}

/** A number such that equal ones have one spelling. */
const inOneSpelling = (digits: string): string =>
  /^-?\d+$/.test(digits) || !Number.isFinite(Number(digits)) ? withoutZeros(digits) : `${Number(digits)}`;

const withoutZeros = (digits: string) => digits.replace(/^(-?)0+(?=\d)/, "$1").replace(/^-0$/, "0");

function byText(problem: Problem, answer: string): Verification {
  const right = rightAnswer(problem).trim();
  return answer.trim() === right ? { score: 1 } : { score: 0, why: `It is ${right}.` };
}

function byNumber(problem: Problem, answer: string): Verification {
  const [right, found] = [lastNumberIn(rightAnswer(problem)), lastNumberIn(answer)];
  const solved = found && right && !found.isPart && equal(found.digits, right.digits);
  return {
    score: solved ? 1 : 0,
    wellFormed: found !== undefined,
    ...(found && !found.isPart ? { answer: inOneSpelling(found.digits) } : {}),
    ...(solved ? {} : { why: `It is ${right?.digits}.` }),
  };
}

function verificationOf(said: JudgeResult, name: string): Verification {
  if (typeof said === "number") return { score: said };
  const { reward, terms, wellFormed, answer, why } = said ?? {};
  // A list (one reward per completion, as in TRL) or another field name would silently count as 0.
  if (reward === undefined && terms === undefined)
    fail(
      name,
      `the judge returned ${describeValue(said)}. Return the reward of one answer: a number, or { reward } or { terms }.`,
    );
  const score = reward ?? Object.values(terms ?? {}).reduce((a, b) => a + b, 0);
  return { score, terms, wellFormed, answer, why };
}
