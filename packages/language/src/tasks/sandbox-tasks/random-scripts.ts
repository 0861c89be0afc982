import type { Generator } from "@reins/core/random";
import { between } from "../random.ts";
import type { Expression, Script, Statement } from "./scripts.ts";

const small = (r: Generator) => between(r, 1, 9);
const sign = (r: Generator) => r.choice("+-");
const compare = (r: Generator) => r.choice(["<", ">", "<=", ">="]);
const add = (r: Generator) => r.choice(["+=", "+=", "-="]);

/** A short expression of a name: `i`, `i*3`, `i+4`, `i%3`. */
function about(r: Generator, name: string): Expression {
  const kind = r.integers(4);
  if (kind === 0) return name;
  if (kind === 1) return ["*", name, between(r, 2, 9)];
  if (kind === 2) return [sign(r), name, small(r)];
  return ["%", name, between(r, 2, 5)];
}

/** A loop with a sum. */
const loop = (r: Generator, below: Expression, name = "i"): Statement => [
  "for",
  name,
  below,
  [["set", "s", add(r), about(r, name)]],
];

/** A loop with a conditional sum. */
const choosy = (r: Generator, below: Expression): Statement => [
  "for",
  "i",
  below,
  [
    [
      "if",
      [compare(r), ["%", "i", between(r, 2, 4)], between(r, 1, 2)],
      [["set", "s", add(r), about(r, "i")]],
    ],
  ],
];

const nested = (r: Generator, below: Expression): Statement => [
  "for",
  "i",
  below,
  [
    [
      "for",
      "j",
      r.random() < 0.5 ? "i" : between(r, 2, 4),
      [["set", "s", add(r), [sign(r), about(r, "i"), "j"]]],
    ],
  ],
];

const start = (r: Generator, name = "s"): Statement => ["set", name, "=", r.integers(10)];

/** Two variables that depend on each other. */
const pair = (r: Generator, below: Expression): Statement[] => [
  start(r, "a"),
  start(r, "b"),
  [
    "for",
    "i",
    below,
    [
      ["set", "a", "+=", "b"],
      [
        "if",
        [compare(r), "a", between(r, 5, 30)],
        [
          ["set", "b", add(r), about(r, "i")],
          ["set", "a", "=", ["%", "a", between(r, 5, 19)]],
        ],
      ],
    ],
  ],
];

/** A pair with larger numbers, and each operator any of its kind. */
const widePair = (r: Generator, below: Expression): Statement[] => [
  ["set", "a", "=", between(r, 10, 99)],
  ["set", "b", "=", between(r, 10, 99)],
  [
    "for",
    "i",
    below,
    [
      ["set", "a", r.choice(["+=", "-="]), "b"],
      [
        "if",
        [compare(r), "a", between(r, 20, 99)],
        [
          ["set", "b", r.choice(["+=", "-="]), [r.choice("+-*"), "i", between(r, 2, 19)]],
          ["set", "a", "=", ["%", "a", between(r, 20, 99)]],
        ],
      ],
    ],
  ],
];

/** Scripts without input. */
export const closed: readonly ((r: Generator) => Script)[] = [
  (r) => ({
    body: [
      ["set", "a", "=", r.integers(100)],
      ["set", "b", "=", r.random() < 0.3 ? "a" : r.integers(100)],
    ],
    result: r.choice("ab"),
  }),
  (r) => ({
    body: [
      ["set", "a", "=", between(r, 1, 30)],
      ["set", "b", "=", [r.choice("+-*"), "a", small(r)]],
    ],
    result: [sign(r), "b", "a"],
  }),
  (r) => ({
    body: [
      ["set", "a", "=", between(r, 1, 50)],
      ["if", [compare(r), "a", between(r, 1, 50)], [["set", "a", add(r), about(r, "a")]]],
    ],
    result: [r.choice("+-*"), "a", small(r)],
  }),
  (r) => ({
    body: [start(r), loop(r, between(r, 2, 6))],
    result: r.random() < 0.5 ? "s" : ["*", "s", between(r, 2, 9)],
  }),
  (r) => ({ body: [start(r), choosy(r, between(r, 4, 9))], result: [sign(r), "s", small(r)] }),
  (r) => ({ body: [start(r), nested(r, between(r, 3, 6))], result: [sign(r), "s", small(r)] }),
  (r) => ({ body: pair(r, between(r, 6, 14)), result: [sign(r), ["*", "a", small(r)], "b"] }),
  (r) => ({ body: widePair(r, between(r, 9, 19)), result: [sign(r), ["*", "a", between(r, 2, 19)], "b"] }),
];

/** Scripts with an input `x`. */
export const open: readonly ((r: Generator) => Script)[] = [
  (r) => ({ body: [], result: [sign(r), "x", between(r, 1, 30)] }),
  (r) => ({ body: [], result: [sign(r), ["*", "x", between(r, 2, 9)], between(r, 1, 99)] }),
  (r) => ({
    body: [start(r), ["if", [compare(r), "x", between(r, 2, 9)], [["set", "s", "+=", about(r, "x")]]]],
    result: [sign(r), "s", "x"],
  }),
  (r) => ({ body: [start(r), loop(r, "x")], result: [sign(r), "s", small(r)] }),
  (r) => ({ body: [start(r), choosy(r, "x")], result: [sign(r), "s", small(r)] }),
  (r) => ({ body: [start(r), nested(r, "x")], result: [sign(r), "s", small(r)] }),
  (r) => ({ body: pair(r, "x"), result: [sign(r), ["*", "a", small(r)], "b"] }),
  (r) => ({ body: widePair(r, "x"), result: [sign(r), ["*", "a", between(r, 2, 19)], "b"] }),
];
