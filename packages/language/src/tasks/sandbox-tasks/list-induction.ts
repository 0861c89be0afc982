import { defaultRng, type Generator as Random } from "@reins/core/random";
import { between, many } from "../random.ts";
import { textTask } from "../text-task.ts";
import { ends, type List, shortest, steps } from "./list-steps.ts";
import { judged } from "./scripts.ts";
import type { Step } from "./step.ts";

type Program = readonly Step<never, List | number>[];
const run = (program: Program, a: List) => program.reduce((v: List | number, s) => s.run(v as never), a);
const text = (program: Program) => program.reduce((e, s) => s.code(e), "a");
/** Larger numbers would make arithmetic, not programs, the difficulty. */
const largest = 9999;
const said = (v: List | number) => (typeof v === "number" ? `${v}` : v.join(","));

/** Number of steps, and whether the result is a number, at each level. */
const plans = [
  [1, true],
  [1, false],
  [1, true],
  [2, false],
  [2, true],
  [3, false],
  [3, true],
] as const;

const list = (r: Random, length: number) => many(length, () => between(r, -9, 15));
/** Inputs of hidden tests: never an empty list, which has no maximum. */
export const inputs = ((r) => many(24, (i) => list(r, 3 + (i % 6))))(defaultRng(0));

/** Programs without a step or with a different one, and for few steps all others: examples must distinguish them. */
function* rivals(program: Program, level: number): Generator<Program> {
  if (level === 1) {
    for (const s of shortest) yield [s];
    return;
  }
  const [count, ended] = plans[level - 1];
  const from = (i: number): readonly Step<never, List | number>[] =>
    ended && i === program.length - 1 ? ends : steps;
  for (let i = 0; i < count; i++) yield program.filter((_, k) => k !== i);
  for (let i = 0; i < program.length; i++)
    for (const other of from(i)) yield [...program.slice(0, i), other, ...program.slice(i + 1)];
  if (!ended) {
    for (const a of steps) yield [a];
    if (program.length === 2) for (const a of steps) for (const b of steps) yield [a, b];
  }
}

/** Programs that are a step shorter: with one removed, or two replaced by one. */
function* shorter(program: Program, count: number): Generator<Program> {
  for (let i = 0; i < count; i++) {
    yield program.filter((_, k) => k !== i);
    if (i > 0) for (const s of steps) yield [...program.slice(0, i - 1), s, ...program.slice(i + 1)];
  }
}

/** Programs on lists from examples. Any program that generalises the same way is right. */
export const listInduction = textTask<{ expected: readonly (List | number)[] }>({
  id: "list-induction",
  about: "Write a JavaScript expression in the list a. Each list before > must give the value after it.",
  levels: plans.length,
  alphabet: "0123456789-,> =abcdefghilmnopqrstuvwxyMS.()[]+*%<",
  longest: { prompt: 150, answer: 90 },
  make(r, level) {
    const [count, ended] = plans[level - 1];
    for (;;) {
      const program: Program =
        level === 1
          ? [r.choice(shortest)]
          : [...many(count, () => r.choice(steps)), ...(ended ? [r.choice(ends)] : [])];
      const expected = inputs.map((a) => run(program, a));
      // A program without a maximum, or with mostly empty results, gives little to learn from.
      if (!expected.flat().every((v) => Math.abs(v) <= largest)) continue;
      if (new Set(expected.map((v) => JSON.stringify(v))).size < (ended ? 4 : 12)) continue;
      const unlike = (other: Program) => inputs.some((a, i) => said(run(other, a)) !== said(expected[i]));
      if (level > 1 && ![...shorter(program, count)].every(unlike)) continue;
      const shown = many(level === 1 ? 2 : 3, () =>
        list(r, level === 1 ? 3 : between(r, 4, 6)).map((x) => (level === 1 ? Math.abs(x % 10) : x)),
      );
      const results = shown.map((a) => run(program, a));
      if (!results.flat().every((v) => Math.abs(v) <= largest) || results.some((v) => said(v) === ""))
        continue;
      const same = (other: Program) =>
        shown.every((a, i) => `${said(run(other, a))}` === `${said(results[i])}`);
      if ([...rivals(program, level)].some((other) => same(other) && unlike(other))) continue;
      return {
        prompt: `${shown.map((a, i) => `${a.join(",")}>${said(results[i])}`).join(" ")}=`,
        answer: text(program),
        data: { expected },
      };
    }
  },
  verify: ({ data: { expected } }, answer) => judged(answer, "a", inputs, expected),
  nearMisses({ prompt, answer }) {
    const [first] = prompt.split(" ");
    const result = first.split(">")[1];
    return [
      `[${result}]`,
      result,
      "a",
      `${answer}+1`,
      `a=>${answer}`,
      `"${answer}"`,
      "a.reverse().push(1)",
      "",
    ].filter((t) => t !== answer);
  },
});
