import type { Generator } from "@reins/core/random";
import { between, many, until } from "../random.ts";
import { listed } from "../single.ts";

/** A rule that gives the next term, or undefined if the terms do not follow it. */
type Rule = (terms: readonly number[]) => number | undefined;

/** The rule holds for the terms from `from` on if it predicts each of them. */
const keeps = (terms: readonly number[], from: number, next: (before: readonly number[]) => number) =>
  terms.every((x, i) => i < from || next(terms.slice(0, i)) === x) ? next(terms) : undefined;
const last = (terms: readonly number[], back = 1) => terms[terms.length - back];

const arithmetic: Rule = (t) => keeps(t, 2, (b) => last(b) + t[1] - t[0]);
const geometric: Rule = (t) => (t[0] === 0 ? undefined : keeps(t, 2, (b) => last(b) * (t[1] / t[0])));
const quadratic: Rule = (t) => keeps(t, 3, (b) => 2 * last(b) - last(b, 2) + t[2] - 2 * t[1] + t[0]);
const additive: Rule = (t) => keeps(t, 2, (b) => last(b) + last(b, 2));
const affine: Rule = (t) => {
  const factor = (t[2] - t[1]) / (t[1] - t[0]);
  return Number.isInteger(factor) ? keeps(t, 2, (b) => factor * last(b) + t[1] - factor * t[0]) : undefined;
};
const woven: Rule = (t) => keeps(t, 4, (b) => last(b, 2) + (b.length % 2 === 0 ? t[2] - t[0] : t[3] - t[1]));
const recurrent: Rule = (t) => {
  // x[n] = p x[n-1] + q x[n-2], with p and q from the first four terms.
  const base = t[1] * t[1] - t[0] * t[2];
  const [p, q] = [(t[1] * t[2] - t[0] * t[3]) / base, (t[1] * t[3] - t[2] * t[2]) / base];
  return Number.isInteger(p) && Number.isInteger(q)
    ? keeps(t, 2, (b) => p * last(b) + q * last(b, 2))
    : undefined;
};
const rules: readonly Rule[] = [arithmetic, geometric, quadratic, additive, affine, woven, recurrent];

/** Kinds at each level, the number of terms shown and the number asked for. */
const sizes = [
  ["n", 3, 1],
  ["ab", 4, 1],
  ["agf", 5, 1],
  ["gfq", 5, 1],
  ["gfqw", 6, 1],
  ["qwl", 6, 2],
  ["qwlr", 6, 2],
  ["mss", 6, 3],
] as const;

/** Continue a sequence. No two rules explain the shown terms and continue differently. */
export const sequences = listed({
  id: "sequences",
  about: "Continue a sequence.",
  levels: sizes.length,
  alphabet: "0123456789,-?",
  longest: { prompt: 69, answer: 32 },
  make(random, level) {
    const [kinds, shown, asked] = sizes[level - 1];
    const terms = until(
      () => sequence(random, random.choice(kinds), shown + asked),
      (t) => {
        if (t.some((x) => Math.abs(x) > 999_999_999)) return false;
        // Too few terms fit rules by accident; three of them are a straight line or nothing.
        const tried = shown === 3 ? [arithmetic] : rules;
        const holding = tried.filter((rule) => rule(t.slice(0, shown)) !== undefined);
        const goesOn = (rule: Rule) => t.slice(shown).every((x, k) => rule(t.slice(0, shown + k)) === x);
        return holding.length > 0 && holding.every(goesOn);
      },
    );
    return [`${terms.slice(0, shown).join(",")},${"?".repeat(asked)}`, terms.slice(shown).join(",")];
  },
});

function sequence(random: Generator, kind: string, count: number): number[] {
  const up = (low: number, high: number) => between(random, low, high);
  const follow = (first: number[], next: (t: readonly number[]) => number) => {
    const terms = [...first];
    while (terms.length < count) terms.push(next(terms));
    return terms;
  };
  if (kind === "n" || kind === "a" || kind === "b") {
    // Starts up to 999 give enough problems at the easiest level to learn a rule.
    const [first, step] = [up(0, kind === "n" ? 999 : 99), kind === "b" ? up(-30, 30) : up(1, 9)];
    return many(count, (i) => first + step * i);
  }
  if (kind === "g") {
    const factor = up(2, 9);
    return follow([up(1, 99)], (t) => last(t) * factor);
  }
  if (kind === "f") return follow([up(1, 40), up(1, 40)], (t) => last(t) + last(t, 2));
  if (kind === "q") {
    const [a, b, c] = [up(1, 9), up(-20, 20), up(-20, 20)];
    return many(count, (i) => a * i * i + b * i + c);
  }
  const wide = kind === "m" || kind === "s";
  if (kind === "l" || kind === "m") {
    const [most, add] = wide ? [9, up(-99, 99)] : [5, up(-9, 9)];
    const factor = up(2, most) * (random.random() < 0.3 ? -1 : 1);
    return follow([up(1, 99)], (t) => factor * last(t) + add);
  }
  if (kind === "w") {
    const [a, b, c, d] = [up(0, 50), up(0, 50), up(-12, 12), up(-12, 12)];
    return many(count, (i) => (i % 2 === 0 ? a + (c * i) / 2 : b + (d * (i - 1)) / 2));
  }
  const [p, q, first] = wide ? [up(1, 5), up(-5, 5), 199] : [up(1, 4), up(-4, 4), 20];
  return follow([up(-9, first), up(-9, first)], (t) => p * last(t) + q * last(t, 2));
}
