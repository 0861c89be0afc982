import { defaultRng, type Generator as Random } from "@reins/core";
import { family } from "../family.ts";
import { between, many } from "../random.ts";
import { judged } from "./scripts.ts";
import { type Step, step } from "./step.ts";

type List = readonly number[];
type Lists = Step<List, List>;
type End = Step<List, number>;

/** Adds JavaScript behind what there is. */
const then =
  (code: string) =>
  (of: string): string =>
    of + code;
const upTo = (n: number) => many(n, (i) => i + 1);

const steps: readonly Lists[] = [
  ...upTo(9).map((k) => step("", then(`.map(x=>x+${k})`), (a: List) => a.map((x) => x + k))),
  ...upTo(9).map((k) => step("", then(`.map(x=>x-${k})`), (a: List) => a.map((x) => x - k))),
  ...[2, 3, 4, 5].map((k) => step("", then(`.map(x=>x*${k})`), (a: List) => a.map((x) => x * k))),
  step("", then(".map(x=>-x)"), (a: List) => a.map((x) => 0 - x)),
  step("", then(".map(x=>x*x)"), (a: List) => a.map((x) => x * x)),
  step("", then(".filter(x=>x%2==0)"), (a: List) => a.filter((x) => x % 2 === 0)),
  step("", then(".filter(x=>x%2)"), (a: List) => a.filter((x) => x % 2 !== 0)),
  step("", then(".filter(x=>x>0)"), (a: List) => a.filter((x) => x > 0)),
  step("", then(".filter(x=>x<0)"), (a: List) => a.filter((x) => x < 0)),
  step("", then(".sort((x,y)=>x-y)"), (a: List) => [...a].sort((x, y) => x - y)),
  step("", then(".sort((x,y)=>y-x)"), (a: List) => [...a].sort((x, y) => y - x)),
  step("", then(".reverse()"), (a: List) => [...a].reverse()),
  step("", then(".slice(1)"), (a: List) => a.slice(1)),
  step("", then(".slice(2)"), (a: List) => a.slice(2)),
  step("", then(".slice(0,-1)"), (a: List) => a.slice(0, -1)),
  step(
    "",
    (e) => `[...new Set(${e})]`,
    (a: List) => [...new Set(a)],
  ),
];
const ends: readonly End[] = [
  step("", then(".length"), (a: List) => a.length),
  step("", then(".reduce((x,y)=>x+y,0)"), (a: List) => a.reduce((x, y) => x + y, 0)),
  step(
    "",
    (e) => `Math.max(...${e})`,
    (a: List) => Math.max(...a),
  ),
  step(
    "",
    (e) => `Math.min(...${e})`,
    (a: List) => Math.min(...a),
  ),
];
/** Steps short enough for the first level. */
const shortest: readonly Step<List, List | number>[] = [
  ...[0, 1, 2].map((i) => step("", then(`[${i}]`), (a: List) => a[i])),
  step("", then(".at(-1)"), (a: List) => a[a.length - 1]),
  step("", then(".length"), (a: List) => a.length),
  step("", then(".slice(1)"), (a: List) => a.slice(1)),
  step("", then(".slice(2)"), (a: List) => a.slice(2)),
];

type Program = readonly Step<never, List | number>[];
const run = (program: Program, a: List) => program.reduce((v: List | number, s) => s.run(v as never), a);
const text = (program: Program) => program.reduce((e, s) => s.code(e), "a");
const said = (v: List | number) => (typeof v === "number" ? `${v}` : v.join(","));

/** How many steps, and whether a number ends them, at each level. */
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
/** What hidden tests ask: never an empty list, of which there is no greatest. */
export const inputs = ((r) => many(24, (i) => list(r, 3 + (i % 6))))(defaultRng(0));

/** Programs without a step or with another one, and where there are few steps all others: what examples must tell apart. */
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

/** Programs on lists from examples. Any that goes on as they do is right. */
export const listInduction = family<{ expected: readonly (List | number)[] }>({
  id: "list-induction",
  about:
    "Write an expression in the list a, in JavaScript, that makes what is after each > of what is before it.",
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
      // A program that mostly leaves nothing, or has no greatest number, has little to learn from.
      if (expected.some((v) => typeof v === "number" && !Number.isFinite(v))) continue;
      if (new Set(expected.map((v) => JSON.stringify(v))).size < (ended ? 4 : 12)) continue;
      const shown = many(level === 1 ? 2 : 3, () =>
        list(r, level === 1 ? 3 : between(r, 4, 6)).map((x) => (level === 1 ? Math.abs(x % 10) : x)),
      );
      const results = shown.map((a) => run(program, a));
      if (results.some((v) => (typeof v === "number" ? !Number.isFinite(v) : v.length === 0))) continue;
      const same = (other: Program) =>
        shown.every((a, i) => `${said(run(other, a))}` === `${said(results[i])}`);
      const unlike = (other: Program) => inputs.some((a, i) => said(run(other, a)) !== said(expected[i]));
      let clear = true;
      for (const other of rivals(program, level)) if (same(other) && unlike(other)) clear = false;
      if (!clear) continue;
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
