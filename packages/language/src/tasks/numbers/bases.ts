import type { Generator } from "@reins/core/random";
import { stripped, verdict } from "../answers.ts";
import { between } from "../random.ts";
import { textTask } from "../text-task.ts";

/** Levels 1 and 2 convert between powers of 2, digit by digit; then to 2, from small bases, and between any two. */
function sizes(random: Generator, level: number): [from: number, to: number, most: number] {
  const any = () => between(random, 2, 16);
  if (level === 1) return [4, 2, 4 ** 5];
  if (level === 2)
    return random.choice([
      [16, 2, 16 ** 3],
      [2, 4, 4 ** 5],
      [8, 2, 8 ** 3],
    ] as [number, number, number][]);
  if (level === 3)
    return random.choice([
      [10, 2, 1000],
      [2, 10, 1024],
      [3, 10, 2000],
      [5, 10, 2000],
    ] as [number, number, number][]);
  if (level === 4) return [between(random, 2, 9), 10, 10_000];
  return [any(), any(), [5000, 10 ** 5, 10 ** 8, 10 ** 11][level - 5]];
}

/** Conversion of numbers between bases. */
export const bases = textTask<{ value: string; to: number }>({
  id: "bases",
  about: "Write a number in another base.",
  levels: 8,
  alphabet: "0123456789abcdef>:=",
  longest: { prompt: 44, answer: 37 },
  make(random, level) {
    let [from, to, most] = sizes(random, level);
    if (from === to) to = from === 10 ? 2 : 10;
    const number = random.integers(most);
    const value = number.toString(to);
    return { prompt: `${from}>${to}:${number.toString(from)}=`, answer: value, data: { value, to } };
  },
  verify({ data: { value, to } }, answer) {
    const text = stripped(answer);
    const formed = /^[0-9a-fA-F]+$/.test(text) && [...text].every((c) => Number.parseInt(c, 16) < to);
    const digits = text.toLowerCase().replace(/^0+(?=.)/, "");
    return verdict(formed && digits === value, formed, `It is ${value}.`);
  },
  nearMisses: ({ data: { value, to } }) =>
    [
      `${value}0`,
      `1${value}`,
      value.slice(0, -1) + ((Number.parseInt(value[value.length - 1], 16) + 1) % to).toString(to),
      `0x${value}`,
      `-${value}`,
      `${value}.0`,
    ].filter((text) => text !== "00"),
});
