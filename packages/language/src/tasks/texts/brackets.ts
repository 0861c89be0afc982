import type { Generator } from "@reins/core/random";
import { stripped, verdict } from "../answers.ts";
import { some } from "../random.ts";
import { textTask } from "../text-task.ts";

const pairs = ["()", "[]", "{}", "<>"];

/** Total length, number of missing brackets, and whether only at the end. */
const sizes = [
  [8, 2, true],
  [12, 3, true],
  [12, 3, false],
  [20, 6, false],
  [30, 10, false],
  [44, 18, false],
  [64, 28, false],
  [100, 50, false],
] as const;

/** Brackets with gaps. Any completion that balances them is right; the answer lists the missing ones in order. */
export const brackets = textTask<{ text: string }>({
  id: "brackets",
  about: "Complete the missing brackets.",
  levels: sizes.length,
  alphabet: "()[]{}<>?=",
  longest: { prompt: 101, answer: 50 },
  make(random, level) {
    const [length, missing, atEnd] = sizes[level - 1];
    const whole = balanced(random, length);
    const places = Array.from(whole, (_, i) => i);
    const gaps = new Set(atEnd ? places.slice(-missing) : some(random, missing, places));
    const text = places.map((i) => (gaps.has(i) ? "?" : whole[i])).join("");
    return {
      prompt: `${text}=`,
      answer: places
        .filter((i) => gaps.has(i))
        .map((i) => whole[i])
        .join(""),
      data: { text },
    };
  },
  verify({ data: { text } }, answer) {
    const given = stripped(answer);
    const gaps = text.split("?").length - 1;
    if (given.length !== gaps || !/^[()[\]{}<>]*$/.test(given))
      return verdict(false, false, `It is not ${gaps} brackets.`);
    let next = 0;
    const open: string[] = [];
    for (const c of text) {
      const bracket = c === "?" ? given[next++] : c;
      const pair = pairs.find((p) => p.includes(bracket))!;
      if (bracket === pair[0]) open.push(pair[1]);
      else if (open.pop() !== bracket)
        return verdict(false, true, `${bracket} has no matching opening bracket.`);
    }
    return verdict(open.length === 0, true, `${open.join(" and ")} is missing.`);
  },
  nearMisses({ answer, data: { text } }) {
    // A bracket of another kind never closes, or leaves one open.
    const other = answer[0] === "(" ? "]" : "(";
    const wrong = [
      `${answer})`,
      answer.slice(1),
      text,
      `${answer.slice(1)}${other}${other}`,
      answer.replace(/./g, "("),
    ];
    return wrong.filter((x) => x !== answer && x.length !== answer.length);
  },
});

/** Opens while it must, closes while it must, and otherwise at random. */
function balanced(random: Generator, length: number): string {
  let text = "";
  const open: string[] = [];
  while (text.length < length) {
    const mustClose = open.length === length - text.length;
    if (open.length > 0 && (mustClose || random.random() < 0.45)) text += open.pop();
    else {
      const pair = random.choice(pairs);
      text += pair[0];
      open.push(pair[1]);
    }
  }
  return text;
}
