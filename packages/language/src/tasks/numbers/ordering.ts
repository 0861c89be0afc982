import type { Generator } from "@reins/core/random";
import { equal, type Fraction, parsed } from "../../tools/fraction.ts";
import { stripped, verdict } from "../answers.ts";
import { between, many, until } from "../random.ts";
import { textTask } from "../text-task.ts";

/** Number of numbers, number of digits, and kinds: whole, negative, decimal, fraction, close fractions. */
const sizes = [
  [2, 2, "w"],
  [2, 2, "wn"],
  [3, 2, "wn"],
  [3, 2, "d"],
  [4, 2, "wnd"],
  [5, 2, "wndf"],
  [7, 2, "dnf"],
  [10, 2, "dnf"],
  [8, 3, "c"],
] as const;

/** Sort numbers of several kinds. Another spelling of the same number is accepted. */
export const ordering = textTask<{ sorted: string[] }>({
  id: "ordering",
  about: "Sort numbers in ascending order.",
  levels: sizes.length,
  alphabet: "0123456789,./-=",
  longest: { prompt: 70, answer: 69 },
  make(random, level) {
    const [count, digits, kinds] = sizes[level - 1];
    const numbers = until(
      () => many(count, () => number(random, random.choice(kinds), digits)),
      (drawn) => {
        const values = drawn.map((text) => parsed(text)!);
        return values.every((x, i) => values.findIndex((y) => equal(x, y)) === i);
      },
    );
    const sorted = [...numbers].sort((a, b) => compare(parsed(a)!, parsed(b)!));
    return { prompt: `${numbers.join(",")}=`, answer: sorted.join(","), data: { sorted } };
  },
  verify({ data: { sorted } }, answer) {
    const parts = stripped(answer)
      .split(",", sorted.length + 1)
      .map(parsed);
    const formed = parts.length === sorted.length && parts.every((x) => x !== undefined);
    const right = formed && sorted.every((x, i) => equal(parsed(x)!, parts[i]!));
    return verdict(right, formed, `The order is ${sorted.join(",")}.`);
  },
  nearMisses: ({ data: { sorted } }) => [
    [...sorted].reverse().join(","),
    sorted.slice(1).join(","),
    [...sorted.slice(1), sorted[0]].join(","),
    [...sorted, sorted[sorted.length - 1]].join(","),
    sorted.join(",,"),
    sorted.map((x) => `${x}1`).join(","),
  ],
});

/** Decimals are few and close together, of one to three digits: the longer one is often the smaller. */
function number(random: Generator, kind: string, digits: number): string {
  const most = 10 ** digits - 1;
  const sign = random.random() < 0.3 ? "-" : "";
  if (kind === "n") return `-${between(random, 1, most)}`;
  if (kind === "f") return `${sign}${between(random, 1, 30)}/${between(random, 2, 20)}`;
  if (kind === "c") {
    const below = between(random, 10 ** (digits - 1), most);
    return `${between(random, Math.ceil(0.6 * below), Math.floor(0.7 * below))}/${below}`;
  }
  if (kind === "w") return `${between(random, 0, most)}`;
  const decimals = many(between(random, 1, 3), () => between(random, 1, 9));
  return `${sign}${random.integers(3)}.${decimals.join("")}`;
}

const compare = (a: Fraction, b: Fraction): number => Number(a.n * b.d - b.n * a.d);
