import type { Generator } from "@reins/core/random";
import { stripped, verdict, whole, wholes } from "./answers.ts";
import { type TextTask, textTask } from "./text-task.ts";

/** Parts of a task with a single right answer. */
interface Single {
  readonly id: string;
  readonly about: string;
  readonly levels: number;
  readonly alphabet: string;
  readonly longest: { readonly prompt: number; readonly answer: number };
  /** A prompt and its answer. */
  make(random: Generator, level: number): readonly [prompt: string, value: string | number | bigint];
}

/** A language task whose answers are integers. Leading zeros are another spelling of the same number. */
export const numbered = (of: Single): TextTask<{ value: string }> =>
  textTask<{ value: string }>({
    ...of,
    make(random, level) {
      const [prompt, drawn] = of.make(random, level);
      const value = `${drawn}`;
      return { prompt, answer: value, data: { value } };
    },
    verify({ data: { value } }, answer) {
      const number = whole(stripped(answer));
      return verdict(number === value, number !== undefined, `It is ${value}.`);
    },
    nearMisses: ({ data: { value } }, random) => [
      `${BigInt(value) + 1n}`,
      `${BigInt(value) - 1n}`,
      `${-BigInt(value) - 1n}`,
      `${value}${random.integers(10)}`,
      `${value}=${value}`,
      `${value}.5`,
      "",
    ],
  });

/** A language task whose answers are integers separated by commas, in a given order. */
export const listed = (of: Single): TextTask<{ value: string }> =>
  textTask<{ value: string }>({
    ...of,
    make(random, level) {
      const [prompt, drawn] = of.make(random, level);
      const value = `${drawn}`;
      return { prompt, answer: value, data: { value } };
    },
    verify({ data: { value } }, answer) {
      const numbers = wholes(stripped(answer), value.split(",").length + 1);
      return verdict(numbers?.join(",") === value, numbers !== undefined, `It is ${value}.`);
    },
    nearMisses({ data: { value } }, random) {
      const numbers = value.split(",");
      const at = random.integers(numbers.length);
      return [
        numbers.map((x, i) => (i === at ? `${BigInt(x) + 1n}` : x)).join(","),
        numbers.map((x, i) => (i === at ? `${x}${random.integers(10)}` : x)).join(","),
        numbers.filter((_, i) => i !== at).join(","),
        [...numbers.slice(1), numbers[0]].join(","),
        `${value},${numbers[at]}`,
        `${value},`,
        numbers.length > 1 ? numbers.join(" ") : `${value}.`,
      ].filter((text) => text !== value);
    },
  });

/**
 * A language task whose answers are texts with a single spelling or, if `numbers` is set, sometimes integers with or without
 * leading zeros; all of them match `form`.
 */
export const worded = (
  of: Single & { readonly form: RegExp; readonly numbers?: boolean },
): TextTask<{ value: string }> =>
  textTask<{ value: string }>({
    ...of,
    make(random, level) {
      const [prompt, drawn] = of.make(random, level);
      const value = `${drawn}`;
      return { prompt, answer: value, data: { value } };
    },
    verify({ data: { value } }, answer) {
      const text = stripped(answer);
      const plain = of.numbers ? (whole(text) ?? text) : text;
      return verdict(plain === value, of.form.test(text), `It is ${value}.`);
    },
    nearMisses({ data: { value } }, random) {
      const at = random.integers(value.length);
      const wrong = [
        value.slice(0, at) + value.slice(at + 1),
        value.slice(0, at) + value[at] + value.slice(at),
        [...value].reverse().join(""),
        value.slice(1) + value[0],
        value.slice(0, at) + random.choice(of.alphabet) + value.slice(at + 1),
        `${value}=`,
        "",
      ];
      return wrong.filter((text) => stripped(text) !== value);
    },
  });
