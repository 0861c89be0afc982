import type { Generator } from "@reins/core/random";
import { between, some } from "../random.ts";
import { textTask } from "../text-task.ts";
import { judged } from "./scripts.ts";

/** A function, as text in x and as itself, and the number of examples that identify it. */
interface Rule {
  readonly text: string;
  readonly of: (x: number) => number;
  readonly shown: number;
  /** Required examples: the ends, and both sides of each case boundary. */
  readonly with?: readonly number[];
}

const signed = (n: number) => (n < 0 ? `${n}` : `+${n}`);
const offset = (r: Generator, most = 99) => (r.random() < 0.5 ? -1 : 1) * between(r, 1, most);

const rules: readonly ((r: Generator) => Rule)[] = [
  (r) => ((b) => ({ text: `x${signed(b)}`, of: (x) => x + b, shown: 2 }))(offset(r, 20)),
  (r) => ((a) => ({ text: `${a}*x`, of: (x) => a * x, shown: 2 }))(between(r, 2, 99)),
  (r) =>
    ((k, a, b) => ({
      text: `x<${k}?x${signed(a)}:${b}*x`,
      of: (x) => (x < k ? x + a : b * x),
      shown: 6,
      with: [0, k - 1, k, 40],
    }))(between(r, 8, 32), offset(r), between(r, 2, 20)),
  (r) => ((b) => ({ text: `x*x${signed(b)}`, of: (x) => x * x + b, shown: 3 }))(offset(r)),
  (r) =>
    ((a, b) => ({ text: `${a}*x${signed(b)}`, of: (x) => a * x + b, shown: 3 }))(
      between(r, 2, 20),
      offset(r),
    ),
  (r) =>
    ((k, b) => ({ text: `x%${k}${signed(b)}`, of: (x) => (x % k) + b, shown: 6 }))(
      between(r, 3, 12),
      offset(r),
    ),
  (r) =>
    ((a, b, c) => ({
      text: `${a}*x*x${signed(b)}*x${signed(c)}`,
      of: (x) => a * x * x + b * x + c,
      shown: 4,
    }))(between(r, 2, 9), offset(r), offset(r)),
  (r) =>
    ((k, [a, b, c], [d, e]) => ({
      text: `x<${k}?${a}*x*x${signed(b)}*x${signed(c)}:${d}*x${signed(e)}`,
      of: (x) => (x < k ? a * x * x + b * x + c : d * x + e),
      shown: 7,
      with: [0, between(r, 1, k - 2), k - 1, k, 40],
    }))(between(r, 8, 32), [between(r, 2, 9), offset(r), offset(r)], [between(r, 2, 99), offset(r)]),
];

/** Inputs of hidden tests. */
const inputs = Array.from({ length: 41 }, (_, i) => i);

/** Functions from examples. Any expression that generalises as the function does is right. */
export const induction = textTask<{ expected: readonly number[] }>({
  id: "induction",
  about: "Write a JavaScript expression in x. Each x before a colon must give the number after it.",
  levels: rules.length,
  alphabet: "0123456789x+-*%<?: =",
  longest: { prompt: 66, answer: 30 },
  make(random, level) {
    const { text, of, shown, with: needed = [] } = rules[level - 1](random);
    const others = some(
      random,
      shown - needed.length,
      inputs.filter((x) => !needed.includes(x)),
    );
    const xs = [...needed, ...others].sort((a, b) => a - b);
    return {
      prompt: `${xs.map((x) => `${x}:${of(x)}`).join(" ")}=`,
      answer: text,
      data: { expected: inputs.map(of) },
    };
  },
  verify: ({ data: { expected } }, answer) => judged(answer, "x", inputs, expected),
  nearMisses({ prompt, answer, data: { expected } }) {
    const shown = prompt
      .slice(0, -1)
      .split(" ")
      .map((e) => e.split(":"));
    const memorised = `${shown.map(([x, v]) => `x==${x}?${v}:`).join("")}0`;
    const constant = `${expected[+shown[0][0]]}`;
    return [
      memorised,
      `[${prompt.slice(0, -1).replace(/ /g, ",")}][x]`,
      constant,
      `${answer}+1`,
      `x=>${answer}`,
      `"${answer}"`,
      "",
    ];
  },
});
