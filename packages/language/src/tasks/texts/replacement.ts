import type { Generator } from "@reins/core/random";
import { between, letters, many, until } from "../random.ts";
import { worded } from "../single.ts";

/** Number of letters, the alphabet, number of rules, their length, and whether rules are applied until none matches. */
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
 * One pass replaces from left to right, rule after rule; `*` repeats at the leftmost match of the first matching
 * rule.
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

/** The pattern occurs in the text; for repeated rules the replacement is shorter, so that they terminate. */
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
    // A function, because $ has a meaning in replacement strings.
    text = text.replace(rule[0], () => rule[1]);
  }
}
