import { defaultRng, type Generator } from "@reins/core";
import { family } from "../family.ts";
import { between, many } from "../random.ts";
import { judged } from "./scripts.ts";
import { type Step, step } from "./step.ts";

const number = (r: Generator): Step<number, number> => {
  const k = between(r, 1, 999);
  return r.choice([
    step(
      `plus ${k}`,
      (e) => `${e}+${k}`,
      (x: number) => x + k,
    ),
    step(
      `minus ${k}`,
      (e) => `${e}-${k}`,
      (x: number) => x - k,
    ),
    step(
      `times ${k}`,
      (e) => (/^\w+$/.test(e) ? `${e}*${k}` : `(${e})*${k}`),
      (x: number) => x * k,
    ),
  ]);
};
const list = (r: Generator): Step<number[], number[]> => {
  const [k, n] = [between(r, 1, 99), between(r, 2, 4)];
  const kinds: Step<number[], number[]>[][] = [
    [
      step(
        `plus ${k}`,
        (e) => `${e}.map(x=>x+${k})`,
        (a: number[]) => a.map((x) => x + k),
      ),
    ],
    [
      step(
        `minus ${k}`,
        (e) => `${e}.map(x=>x-${k})`,
        (a: number[]) => a.map((x) => x - k),
      ),
    ],
    [
      step(
        `times ${k}`,
        (e) => `${e}.map(x=>x*${k})`,
        (a: number[]) => a.map((x) => x * k),
      ),
    ],
    [
      step(
        `over ${k}`,
        (e) => `${e}.filter(x=>x>${k})`,
        (a: number[]) => a.filter((x) => x > k),
      ),
    ],
    [
      step(
        `under ${k}`,
        (e) => `${e}.filter(x=>x<${k})`,
        (a: number[]) => a.filter((x) => x < k),
      ),
    ],
    // Those with few numbers in them, together as frequent as one with many.
    [
      step(
        `even`,
        (e) => `${e}.filter(x=>x%2==0)`,
        (a: number[]) => a.filter((x) => x % 2 === 0),
      ),
      step(
        `sorted`,
        (e) => `${e}.sort((x,y)=>x-y)`,
        (a: number[]) => [...a].sort((x, y) => x - y),
      ),
      step(
        `reversed`,
        (e) => `${e}.reverse()`,
        (a: number[]) => [...a].reverse(),
      ),
      step(
        `first ${n}`,
        (e) => `${e}.slice(0,${n})`,
        (a: number[]) => a.slice(0, n),
      ),
      step(
        `without first ${n}`,
        (e) => `${e}.slice(${n})`,
        (a: number[]) => a.slice(n),
      ),
    ],
  ];
  return r.choice(r.choice(kinds));
};
const end = (r: Generator): Step<number[], number> =>
  r.choice([
    step(
      `sum`,
      (e) => `${e}.reduce((x,y)=>x+y,0)`,
      (a: number[]) => a.reduce((x, y) => x + y, 0),
    ),
    step(
      `count`,
      (e) => `${e}.length`,
      (a: number[]) => a.length,
    ),
  ]);

/** Steps on a number, or on a list and whether one ends it, at each level. */
const plans = [
  { on: "x", steps: 1, ends: false },
  { on: "x", steps: 2, ends: false },
  { on: "x", steps: 3, ends: false },
  { on: "a", steps: 2, ends: false },
  { on: "a", steps: 2, ends: true },
  { on: "a", steps: 3, ends: false },
  { on: "a", steps: 3, ends: true },
  { on: "a", steps: 4, ends: true },
] as const;

/**
 * What programs are tried on. Each whole number of a range is in some list, since a wrong limit differs from the right one for one number
 * only; short lists show what is done with the first ones, and with none.
 */
export function inputsFor(on: "x" | "a", seed = 0): (number | number[])[] {
  const random = defaultRng(seed);
  const all = random.permutation(many(260, (i) => i - 60));
  if (on === "x") return all.slice(0, 12);
  const long = many(10, (i) => all.slice(26 * i, 26 * i + 26));
  return [...long, ...many(10, (i) => many(i, () => random.choice(all)))];
}

const inputs = { x: inputsFor("x"), a: inputsFor("a") };

/** Programs from words. Any that does the same is right. */
export const program = family<{ on: "x" | "a"; expected: readonly unknown[] }>({
  id: "program",
  about:
    "Write an expression in JavaScript that does to the number x, or to each of the list a, what the words say one after the other.",
  levels: plans.length,
  alphabet: "0123456789abcdefhilmnoprstuvwxyg ().,=><+-*%:",
  longest: { prompt: 75, answer: 110 },
  make(random, level) {
    const { on, steps, ends } = plans[level - 1];
    for (;;) {
      const each: Step<never, unknown>[] = many(steps, () => (on === "x" ? number(random) : list(random)));
      if (ends) each.push(end(random));
      const words = each.map((s) => s.words).join(", ");
      const expected = inputs[on].map((i) => each.reduce((v: unknown, s) => s.run(v as never), i));
      // Steps that leave nothing of most lists make programs that constants can stand for.
      if (new Set(expected.map((e) => JSON.stringify(e))).size < 6) continue;
      const answer = each.reduce((e, s) => s.code(e), on as string);
      return { prompt: `${on} ${words}:`, answer, data: { on, expected } };
    }
  },
  verify: ({ data: { on, expected } }, answer) => judged(answer, on, inputs[on], expected),
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
