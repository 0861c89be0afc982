import type { Generator } from "@reins/core/random";
import { javascript } from "../../sandboxes/javascript.ts";
import { stripped } from "../../tasks/answers.ts";
import { some, until } from "../../tasks/random.ts";
import { textTask } from "../../tasks/text-task.ts";
import { evaluate } from "../../tools/formula.ts";

/** The form of an expression, and the number of attempts: o is an operator, l a comparison, c a constant. */
const sizes = [
  ["xoc", 3],
  ["xococ", 4],
  ["(xoc)oc", 5],
  ["xlc?xoc:xoc", 6],
] as const;

/** Alternatives for each letter of a form. */
const choices: { readonly [letter: string]: string } = { o: "+-*", l: "<>", c: "123456" };

const inputs = [0, 1, 2, 3, 4, 5, 6];
const longest = 11;
const sandbox = javascript({ turns: 1, steps: 1_000_000 });

/** An input and its expected value. */
type Test = readonly [x: number, value: number];

interface Bug {
  readonly form: string;
  readonly broken: string;
  /** In the order in which they run. */
  readonly tests: readonly Test[];
}

interface Repair extends Bug {
  readonly most: number;
  attempts: number;
  mended: boolean;
  /** The first failed test of each attempt. */
  readonly failed: Test[];
}

/** All expressions that differ in one operator or constant. */
function changes(form: string, text: string): string[] {
  return [...form].flatMap((letter, i) =>
    [...(choices[letter] ?? "")]
      .filter((c) => c !== text[i])
      .map((c) => text.slice(0, i) + c + text.slice(i + 1)),
  );
}

/** The value of an expression of a known form. Text from a model runs in the sandbox instead. */
function valueOf(text: string, x: number): number {
  const [, left, sign, right, yes, no] = /^(.+)([<>])(.+)\?(.+):(.+)$/.exec(text) ?? [];
  if (sign) {
    const [a, b] = [valueOf(left, x), valueOf(right, x)];
    return valueOf((sign === "<" ? a < b : a > b) ? yes : no, x);
  }
  return Number(evaluate(text.replace("x", `${x}`), 4)!.value.n);
}

const passes = (text: string, tests: readonly Test[]) =>
  tests.every(([x, value]) => valueOf(text, x) === value);

/** The first test that an expression fails; undefined if it passes all; "error" if it is invalid. */
async function failing(text: string, tests: readonly Test[]): Promise<Test | "error" | undefined> {
  if (text === "" || text.length > longest) return "error";
  const { status, value } = await sandbox.run({ code: `x=>(${text})`, calls: tests.map(([x]) => [x]) });
  if (status !== "ok") return "error";
  const values = value as readonly unknown[];
  return tests.find(([, wanted], i) => values[i] !== wanted);
}

/** Expressions with one change that are consistent with all tests seen. */
const agreeing = ({ form, broken, failed }: Repair) =>
  changes(form, broken).filter((text) => passes(text, failed));

/** A correct expression, and one with a bug that some test reveals. */
function bug(random: Generator, form: string): { right: string; data: Bug } {
  const right = [...form].map((c) => (choices[c] ? random.choice(choices[c]) : c)).join("");
  const tests = some(random, inputs.length, inputs).map((x): Test => [x, valueOf(right, x)]);
  const broken = until(
    () => random.choice(changes(form, right)),
    (text) => !passes(text, tests),
  );
  return { right, data: { form, broken, tests } };
}

/**
 * An expression of x with one wrong operator or constant, to fix in a few attempts. Each attempt runs in the sandbox;
 * the reply is the first test that it fails: `3:6` means that 3 must give 6. An invalid expression gets the reply `!`
 * and counts as an attempt.
 */
export const codeRepair = textTask<Bug, Repair>({
  id: "code-repair",
  about:
    "Fix the one wrong operator or constant of an expression of x. The reply to a failed attempt is a test, x:value.",
  levels: sizes.length,
  alphabet: "0123456789x+-*<>?:()!",
  longest: { prompt: longest, answer: longest, conversation: 130 },
  make(random, level) {
    const { right, data } = bug(random, sizes[level - 1][0]);
    return { prompt: data.broken, key: `${data.broken} ${right}`, answer: right, data };
  },
  verify({ answer }, _, conversation) {
    const mended = conversation?.state.mended;
    return mended ? { score: 1 } : { score: 0, why: `A test failed in each attempt. ${answer} passes all.` };
  },
  episode: {
    turns: 6,
    begin: ({ data, level }) => ({
      ...data,
      most: sizes[level - 1][1],
      attempts: 0,
      mended: false,
      failed: [],
    }),
    async turn(state, { content }) {
      const failed = await failing(stripped(content), state.tests);
      state.mended = failed === undefined;
      if (++state.attempts >= state.most || failed === undefined) return { done: true };
      if (failed === "error") return { say: "!" };
      state.failed.push(failed);
      return { say: failed.join(":") };
    },
    players: {
      expert: (_, { state }) => agreeing(state)[0],
      /** Like the expert, but one attempt in four is a random change. */
      novice: ({ data: { form, broken } }, { state }, random) =>
        random.chance(0.25) ? random.choice(changes(form, broken)) : agreeing(state)[0],
      random: ({ data: { form, broken } }, _, random) => random.choice(changes(form, broken)),
      /** All changes in order, ignoring the tests. */
      fixed: ({ data: { form, broken } }, { turns }) => changes(form, broken)[turns],
    },
  },
});
