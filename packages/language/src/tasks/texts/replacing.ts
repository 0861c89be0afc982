import type { Generator } from "@reins/core";
import { between, letters, many, until } from "../random.ts";
import { worded } from "../single.ts";

/** How many letters, which, how many rules, how much a rule replaces, and whether rules are applied until none can be. */
const sizes = [
  [4, "abcdefghij", 1, 1, false],
  [8, "abcdef", 1, 1, false],
  [10, "abcd", 1, 2, false],
  [16, "abcd", 2, 2, false],
  [24, "abc", 3, 2, false],
  [12, "abc", 1, 2, true],
  [20, "abc", 2, 2, true],
  [36, "abcd", 4, 2, true],
] as const;

/**
 * One pass replaces from left to right, rule after rule; `*` goes on with the leftmost place of the first rule that has
 * one.
 */
export const replacing = worded({
  id: "replacing",
  about: "Find and replace, once or until nothing is left to replace.",
  levels: sizes.length,
  alphabet: "abcdefghij> *=",
  longest: { prompt: 60, answer: 48 },
  form: /^[a-j]+$/,
  make(random, level) {
    const [length, alphabet, count, width, always] = sizes[level - 1];
    const [text, rules, result] = until(
      () => {
        const text = letters(random, length, alphabet);
        const rules = many(count, () => rule(random, text, alphabet, width, always));
        return [text, rules, always ? rewritten(text, rules) : rules.reduce(replaced, text)] as const;
      },
      ([text, , result]) =>
        result.length > (always ? length / 4 : 0) && result !== text && result.length < 49,
    );
    return [`${text} ${rules.map((r) => r.join(">")).join(" ")}${always ? "*" : ""}=`, result];
  },
});

/** What is replaced is somewhere in the text; where rules go on and on, what comes in is shorter, so that they end. */
function rule(
  random: Generator,
  text: string,
  alphabet: string,
  width: number,
  always: boolean,
): [string, string] {
  const start = random.integers(text.length - width + 1);
  const from = text.slice(start, start + width);
  const to = letters(random, always ? width - 1 : between(random, 1, width === 1 ? 1 : width + 1), alphabet);
  return [from, to];
}

const replaced = (text: string, [from, to]: readonly [string, string]): string => text.split(from).join(to);

function rewritten(text: string, rules: readonly (readonly [string, string])[]): string {
  for (;;) {
    const rule = rules.find(([from]) => text.includes(from));
    if (!rule) return text;
    // A function, because $ in the text of a replacement has a meaning.
    text = text.replace(rule[0], () => rule[1]);
  }
}
