import { fail, said } from "@reins/core";
import type { Family, Problem, Verification } from "./family.ts";

/** What a judge of one's own says of an answer: a reward, or its terms, which are added up where no reward is given. */
export type Judged =
  | number
  | {
      readonly reward?: number;
      /** What the reward is made of, by name; each is logged. */
      readonly terms?: { readonly [name: string]: number };
      readonly formed?: boolean;
      readonly why?: string;
    };

/** A judge of one's own: what an answer to a problem is worth. */
export type AnswerJudge<T = unknown> = (answer: string, problem: Problem<T>) => Judged | Promise<Judged>;

/** A judge by name, or one of one's own. `exact` compares texts, less the blanks around them; `number` the last number in each. */
export type Judging = "exact" | "number" | AnswerJudge;

/** The family with another judge. */
export function judged<T>(family: Family<T>, judge: Judging): Family<T> {
  return { ...family, verify: verifierOf(judge, family.id) };
}

/** A judge as a family has it. */
export function verifierOf(judge: Judging, name: string): Family["verify"] {
  if (judge === "exact") return byText;
  if (judge === "number") return byNumber;
  if (typeof judge !== "function")
    fail(
      name,
      `the judge is ${said(judge)}. Give "exact", "number" or a function: (answer, problem) => answer === problem.answer ? 1 : 0.`,
    );
  return async (problem, answer) => verificationOf(await judge(answer, problem));
}

/** What answers are compared with: the line's own answer, where a conversation's last turn is only one way to say it. */
export function rightAnswer({ data, answer }: Problem): string {
  const own = (data as { readonly answer?: unknown } | null)?.answer;
  return own === undefined || own === null ? answer : String(own);
}

/** The last number of a text, as it is read: `1,234.50` is 1234.5. */
export function lastNumber(text: string): number | undefined {
  const found = text.match(/-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?/gi)?.at(-1);
  return found === undefined ? undefined : Number(found.replaceAll(",", ""));
}

function byText(problem: Problem, answer: string): Verification {
  const right = rightAnswer(problem).trim();
  return answer.trim() === right ? { score: 1 } : { score: 0, why: `It is ${right}.` };
}

function byNumber(problem: Problem, answer: string): Verification {
  const [right, found] = [lastNumber(rightAnswer(problem)), lastNumber(answer)];
  const solved = found !== undefined && found === right;
  return {
    score: solved ? 1 : 0,
    formed: found !== undefined,
    ...(solved ? {} : { why: `It is ${right}.` }),
  };
}

function verificationOf(said: Judged): Verification {
  if (typeof said !== "object" || said === null) return { score: said };
  const { terms, formed, why } = said;
  const { reward: score = Object.values(terms ?? {}).reduce((a, b) => a + b, 0) } = said;
  return { score, terms, formed, why };
}
