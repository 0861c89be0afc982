import type { Generator } from "@reins/core/random";
import { type Json, parsed, same } from "../../sandboxes/json.ts";
import { verdict } from "../answers.ts";
import { between, letters, many, some } from "../random.ts";
import { textTask } from "../text-task.ts";

const names = "abcdefghijklmnopqrstuvwxyz";
type Row = Record<string, Json>;

/** An object with distinct one-letter keys. */
const object = (random: Generator, size: number, one: (index: number) => Json): Row =>
  Object.fromEntries(some(random, size, names).map((name, i) => [name, one(i)]));

const word = (random: Generator) => letters(random, between(random, 2, 4), names);
const scalar = (random: Generator): Json =>
  [() => random.integers(100), () => word(random), () => random.random() < 0.5][random.integers(3)]();

/** A value, a path into it in the style of `jq`, and the value at the path. */
type Question = readonly [value: Json, path: string, found: Json];

const anyOf = (random: Generator, row: Row): [string, Json] => random.choice(Object.entries(row));

function inside(random: Generator, depth: number, value: Json, path = ""): Question {
  if (depth === 0 || typeof value !== "object" || value === null) return [value, path, value];
  const [step, next]: [string, Json] = Array.isArray(value)
    ? ((i) => [`[${i}]`, value[i]] as [string, Json])(random.integers(value.length))
    : (([k, v]) => [`.${k}`, v] as [string, Json])(anyOf(random, value));
  const [, rest, found] = inside(random, depth - 1, next, path + step);
  return [value, rest, found];
}

/** Rows with the same keys, as in a table. */
function table(random: Generator, rows: number, columns: number, below = 100) {
  const keys = some(random, columns, names);
  const list = many(rows, () => Object.fromEntries(keys.map((k) => [k, random.integers(below)])));
  return { keys, list };
}

const questions: readonly ((random: Generator) => Question)[] = [
  (r) =>
    inside(
      r,
      1,
      object(r, 2, () => r.integers(10)),
    ),
  (r) =>
    inside(
      r,
      1,
      object(r, 4, () => r.integers(100)),
    ),
  (r) =>
    inside(
      r,
      1,
      object(r, 4, () => scalar(r)),
    ),
  (r) =>
    inside(
      r,
      2,
      object(r, 3, () => many(between(r, 2, 4), () => r.integers(100))),
    ),
  (r) =>
    inside(
      r,
      2,
      object(r, 3, () => object(r, 2, () => scalar(r))),
    ),
  (r) => {
    const { keys, list } = table(r, between(r, 3, 4), 3);
    return [list, `[].${keys[0]}`, list.map((row) => row[keys[0]])];
  },
  (r) => {
    const { keys, list } = table(r, between(r, 4, 5), 3);
    const [by, least] = [keys[1], r.integers(20, 80)];
    return [
      list,
      `[${by}>${least}].${keys[0]}`,
      list.filter((row) => row[by] > least).map((row) => row[keys[0]]),
    ];
  },
  (r) =>
    inside(
      r,
      3,
      object(r, 2, () => many(2, () => object(r, 2, () => scalar(r)))),
    ),
  (r) => {
    const { keys, list } = table(r, 6, 3, 1000);
    const [of, by] = keys;
    // Three to five rows pass.
    const least = list.map((row) => row[by]).sort((x, y) => y - x)[between(r, 3, 5)];
    const sum = list.filter((row) => row[by] > least).reduce((x, row) => x + row[of], 0);
    return [list, `[${by}>${least}].${of}.sum`, sum];
  },
];

/** Values extracted from a JSON text. The same value in any spelling is right. */
export const jsonExtract = textTask<{ value: Json }>({
  id: "json-extract",
  about:
    "Give the value at a path of a JSON text: .a by key, [0] by index, [].a of each row, [b>5].a of the rows where b > 5, .sum their total.",
  levels: questions.length,
  alphabet: '0123456789abcdefghijklmnopqrstuvwxyz{}[]:,".=>',
  longest: { prompt: 175, answer: 25 },
  make(random, level) {
    const [value, path, found] = questions[level - 1](random);
    return {
      prompt: `${JSON.stringify(value)}${path}=`,
      answer: JSON.stringify(found),
      data: { value: found },
    };
  },
  verify({ data: { value } }, answer) {
    const said = parsed(answer);
    return verdict(
      said !== undefined && same(said, value),
      said !== undefined,
      `It is ${JSON.stringify(value)}.`,
    );
  },
  nearMisses: ({ answer, data: { value } }) =>
    [
      typeof value === "number" ? `${value + 1}` : `${answer}0`,
      typeof value === "string" ? value : `"${answer}"`,
      `[${answer}]`,
      `{"a":${answer}}`,
      answer.slice(1),
      "null",
    ].filter((text) => !same(parsed(text) ?? {}, value)),
});
