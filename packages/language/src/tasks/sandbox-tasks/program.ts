import { defaultRng } from "@reins/core/random";
import { stripped, verdict } from "../answers.ts";
import { many } from "../random.ts";
import { textTask } from "../text-task.ts";
import { judged } from "./scripts.ts";
import type { Step } from "./step.ts";
import { end, list, number } from "./worded-steps.ts";

/** The programs of a level. */
interface Plan {
  readonly on: "x" | "a";
  readonly steps: number;
  /** Whether a list ends as a number. */
  readonly ends?: true;
  /** The largest number of a program that must be short: it has to be computed, not written down. */
  readonly short?: number;
}
const plans: readonly Plan[] = [
  { on: "x", steps: 1 },
  { on: "x", steps: 2 },
  { on: "x", steps: 3 },
  { on: "a", steps: 2 },
  { on: "a", steps: 2, ends: true },
  { on: "a", steps: 3 },
  { on: "a", steps: 3, ends: true },
  { on: "a", steps: 4, ends: true },
  { on: "x", steps: 4, short: 19 },
  { on: "x", steps: 4, short: 99 },
];

/** The closed form of steps of sums and products. */
function worked(run: (x: number) => number): { factor: number; text: string } {
  const sum = run(0);
  const factor = run(1) - sum;
  return { factor, text: `${factor}*x${sum === 0 ? "" : sum < 0 ? sum : `+${sum}`}` };
}

/**
 * Test inputs. Each integer of a range is in some list, since a wrong limit differs from the right one for one number
 * only; short lists test the first elements, and empty lists.
 */
export function inputsFor(on: "x" | "a", seed = 0): (number | number[])[] {
  const random = defaultRng(seed);
  const all = random.permutation(many(260, (i) => i - 60));
  if (on === "x") return all.slice(0, 12);
  const long = many(10, (i) => all.slice(26 * i, 26 * i + 26));
  return [...long, ...many(10, (i) => many(i, () => random.choice(all)))];
}

const inputs = { x: inputsFor("x"), a: inputsFor("a") };

/** Programs from descriptions. Any program with the same behaviour is right. */
export const program = textTask<{ on: "x" | "a"; expected: readonly unknown[]; most?: number }>({
  id: "program",
  about:
    "Write a JavaScript expression that applies the named operations in order to the number x, or to each number of the list a; 'in 9' allows 9 characters.",
  levels: plans.length,
  alphabet: "0123456789abcdefhilmnoprstuvwxyg ().,=><+-*%:",
  longest: { prompt: 75, answer: 110 },
  make(random, level) {
    const { on, steps, ends, short } = plans[level - 1];
    for (;;) {
      const each: Step<never, unknown>[] = many(steps, () =>
        on === "x" ? number(random, short) : list(random),
      );
      if (ends) each.push(end(random));
      const words = each.map((s) => s.words).join(", ");
      const run = (input: number | number[]) => each.reduce((v: unknown, s) => s.run(v as never), input);
      const expected = inputs[on].map(run);
      // Steps that empty most lists make programs that constants could replace.
      if (new Set(expected.map((e) => JSON.stringify(e))).size < 6) continue;
      const answer = each.reduce((e, s) => s.code(e), on as string);
      if (short === undefined) return { prompt: `${on} ${words}:`, answer, data: { on, expected } };
      const { factor, text } = worked(run as (x: number) => number);
      const most = text.length;
      // More than one factor, and no room for the steps as described.
      if (factor > short && answer.length > most)
        return { prompt: `${on} ${words} in ${most}:`, answer: text, data: { on, expected, most } };
    }
  },
  verify({ data: { on, expected, most = Number.POSITIVE_INFINITY } }, answer) {
    if (stripped(answer).length > most) return verdict(false, false, `It has more than ${most} characters.`);
    return judged(answer, on, inputs[on], expected);
  },
  nearMisses({ prompt, answer, data: { on, expected } }) {
    const text = prompt.slice(0, -1);
    return [
      text,
      `${on}=>${answer}`,
      JSON.stringify(expected[3]),
      `${answer}+1`,
      on,
      `${on}.reverse().sort()+${on}`,
      "",
    ];
  },
});
