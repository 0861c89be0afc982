import { describe, expect, it } from "vitest";
import { Automaton } from "./automaton.ts";
import { expression } from "./expression.ts";
import { dead } from "./product.ts";
import { complement, everything, intersection, union } from "./ranges.ts";
import { among, anyCharacter, both, either, except, optional, repeat, rule, sequence, text } from "./tree.ts";
import { byteSequences } from "./utf8.ts";

/** All texts of up to `longest` characters of an alphabet. */
function textsOver(alphabet: string, longest: number): string[] {
  const letters = [...alphabet];
  let last = [""];
  const all = [""];
  for (let length = 1; length <= longest; length++) {
    last = last.flatMap((t) => letters.map((c) => t + c));
    all.push(...last);
  }
  return all;
}

const agree = (pattern: string, texts: readonly string[], flags = "") => {
  const automaton = new Automaton(expression(flags ? new RegExp(pattern, flags) : pattern));
  const engine = new RegExp(`^(?:${pattern})$`, `${flags}u`);
  const wrong = texts.filter((t) => automaton.matches(t) !== engine.test(t));
  expect(wrong, pattern).toEqual([]);
};

describe("an expression", () => {
  const letters = textsOver("abc", 6);
  it.each([
    "",
    "a",
    "abc",
    "a|b",
    "a|bc|",
    "(a|b)*c",
    "(?:a|b)+c?",
    "(?<name>ab)+",
    "a{3}",
    "a{2,}b{0,2}",
    "(ab?){2,3}",
    "((a{1,2}b){1,2}c?){1,2}",
    "(a*)*",
    "(a*|b?)+c",
    "(a|ab)(c|bc)",
    "(a|b)*a(a|b)(a|b)",
    "[ab]c",
    "[^a]+",
    "[a-b]*c{1}",
    "()*a",
    "(|a){2}",
    "a{0}b",
    "[^]*c",
    "[]|a",
    ".*abc.*",
    "^ab|bc$",
    "^(?:a|b){2}$",
  ])("%s agrees with the engine on all texts of a, b, c", (pattern) => agree(pattern, letters));

  it.each([
    ".",
    "..",
    "[é-ü]+",
    "[^é]",
    "[\\u{1f600}-\\u{1f64f}]+",
    "\\ud83d\\ude42*",
    "\\u00e9\\xe9?",
    "[\\w-]+",
    "[-\\n]",
    "\\W\\S",
    "\\s+",
    "\\D{2}",
    "[^\\s\\w]",
    "🙂?é{1,2}",
    "[\\b]|\\cJ",
    "[\\]\\\\^-]",
    "\\^\\$\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/",
  ])("%s agrees with the engine on characters of one to four bytes", (pattern) =>
    agree(pattern, [...textsOver("é🙂-\n\u2028 x_", 4), "^", "]", "\\", "^$.*+?()[]{}|/", "\b", "😀", "ü"]),
  );

  it("reads classes as the engine does, for each character", () => {
    const points = everything.flatMap(([a, b]) => Array.from({ length: b - a + 1 }, (_, i) => a + i));
    const sampled = points.filter((p) => p < 0x3100 || p % 977 === 0 || (p > 0xfe00 && p < 0x10100));
    for (const pattern of ["\\d", "\\D", "\\w", "\\W", "\\s", "\\S", ".", "[^\\D]", "[\\s\\d]"])
      agree(
        pattern,
        sampled.map((p) => String.fromCodePoint(p)),
      );
    agree(".", ["\n", "\u2029", "a"], "s");
  });

  it("finds a part with the option within", () => {
    for (const pattern of ["ab", "^a|b$", "^a", "c$", "a|^b", "", "^a.c$", "(a|b){3}"]) {
      const automaton = new Automaton(expression(pattern, { within: true }));
      const engine = new RegExp(pattern, "u");
      const wrong = textsOver("abc\n", 5).filter((t) => automaton.matches(t) !== engine.test(t));
      expect(wrong, pattern).toEqual([]);
    }
  });

  it.each([
    [/a(?=b)/, "lookaround"],
    [/(?<!a)b/, "lookaround"],
    [/(a)\1/, "a backreference"],
    [/(?<x>a)\k<x>/, "a backreference"],
    [/a+?/, "a lazy quantifier"],
    [/\bword/, "a word boundary"],
    [/\p{L}/u, "a Unicode property"],
    [/a^b/, "^ inside"],
    [/(a$)/, "$ inside"],
    [/a$b/, "$ before the end"],
    [/a/i, "the flag i"],
    ["a{2", "not valid"],
    ["\\-", "not valid"],
  ] as const)("%s is rejected by name", (pattern, reason) => {
    expect(() => expression(pattern as string | RegExp)).toThrow(reason);
  });
});

describe("an automaton", () => {
  const letters = textsOver("ab", 8);
  const isText = (tree: Parameters<typeof sequence>[0]) => {
    const automaton = new Automaton(tree);
    return letters.filter((t) => automaton.matches(t));
  };

  it("joins and subtracts like sets", () => {
    const [odd, ends] = [expression("(..)*."), expression(".*ab")];
    const inOdd = new Set(isText(odd));
    const inEnds = new Set(isText(ends));
    expect(isText(both(odd, ends))).toEqual(letters.filter((t) => inOdd.has(t) && inEnds.has(t)));
    expect(isText(except(odd, ends))).toEqual(letters.filter((t) => inOdd.has(t) && !inEnds.has(t)));
    expect(isText(except(ends, repeat(anyCharacter)))).toEqual([]);
  });

  it("follows recursive rules, without limit and up to a depth", () => {
    const nested: ReturnType<typeof rule> = rule(() => optional(sequence(text("a"), nested, text("b"))), 1);
    const balanced = (depth: number) => {
      const automaton = new Automaton(nested, { depth });
      return letters.filter((t) => automaton.matches(t));
    };
    expect(balanced(Number.POSITIVE_INFINITY)).toEqual(["", "ab", "aabb", "aaabbb", "aaaabbbb"]);
    expect(balanced(3)).toEqual(["", "ab", "aabb"]);
    const deep = new Automaton(nested, { depth: 3 });
    expect(deep.read("aa")).not.toBe(dead);
    expect(deep.read("aaa")).toBe(dead);
    expect(new Automaton(nested).matches("a".repeat(500) + "b".repeat(500))).toBe(true);
  });

  it("enters no state that cannot be completed", () => {
    const endless: ReturnType<typeof rule> = rule(() => sequence(text("a"), endless));
    expect(new Automaton(endless).start).toBe(dead);
    const automaton = new Automaton(
      either(sequence(text("ab"), endless), text("ac"), sequence(text("b"), either())),
    );
    expect(automaton.read("b")).toBe(dead);
    expect(automaton.read("a")).not.toBe(dead);
    expect(automaton.read("ab")).toBe(dead);
    expect(automaton.matches("ac")).toBe(true);
    // At the last level only a rule without another may be entered.
    const list: ReturnType<typeof rule> = rule(
      () =>
        either(text("x"), sequence(text("["), list, text("]")), sequence(text("("), list, list, text(")"))),
      1,
    );
    const two = new Automaton(list, { depth: 2 });
    expect(["x", "[x]", "(xx)"].map((t) => two.matches(t))).toEqual([true, true, true]);
    expect(["[[", "([", "(x["].map((t) => two.read(t))).toEqual([dead, dead, dead]);
    expect(
      new Automaton(
        rule(() => endless, 1),
        { depth: 9 },
      ).start,
    ).toBe(dead);
  });

  it("rejects left recursion", () => {
    const left: ReturnType<typeof rule> = rule(() => either(sequence(left, text("a")), text("b")));
    expect(() => new Automaton(left)).toThrow("a rule is left-recursive");
  });

  it("excludes characters outside its alphabet", () => {
    const automaton = new Automaton(either(text("ax"), text("ab"), text("x")), { alphabet: [[0x61, 0x62]] });
    expect(["ab", "ax", "x"].map((t) => automaton.matches(t))).toEqual([true, false, false]);
    expect(automaton.read("x")).toBe(dead);
    expect(new Automaton(among("xyz"), { alphabet: [[0x61, 0x62]] }).start).toBe(dead);
  });
});

describe("code points", () => {
  it("have exactly their UTF-8 bytes", () => {
    const encoder = new TextEncoder();
    for (const range of [
      [0, 0x10ffff],
      [0x41, 0x7ff],
      [0x7f, 0x80],
      [0x800, 0xffff],
      [0xfff0, 0x10010],
      [0x1f602, 0x20001],
    ]) {
      const ranges = union([range as [number, number]]);
      const sequences = byteSequences(ranges);
      const spelled = (point: number) => {
        const bytes = encoder.encode(String.fromCodePoint(point));
        return sequences.filter(
          (s) => s.length === bytes.length && s.every(([a, b], i) => a <= bytes[i] && bytes[i] <= b),
        ).length;
      };
      for (const [first, last] of everything)
        for (let point = first; point <= last; point += point < 0x3000 ? 1 : 61) {
          const inside = point >= range[0] && point <= range[1];
          if (spelled(point) !== Number(inside)) expect.fail(`U+${point.toString(16)} in ${range}`);
        }
      for (const [first, last] of ranges) expect([spelled(first), spelled(last)]).toEqual([1, 1]);
    }
  });

  it("form sets", () => {
    expect(
      union([
        [5, 9],
        [1, 2],
        [3, 4],
        [20, 30],
        [25, 26],
      ]),
    ).toEqual([
      [1, 9],
      [20, 30],
    ]);
    expect(
      intersection(
        [
          [1, 9],
          [20, 30],
        ],
        [
          [5, 22],
          [30, 40],
        ],
      ),
    ).toEqual([
      [5, 9],
      [20, 22],
      [30, 30],
    ]);
    expect(
      complement(
        complement([
          [5, 9],
          [0xe000, 0x10ffff],
        ]),
      ),
    ).toEqual([
      [5, 9],
      [0xe000, 0x10ffff],
    ]);
    expect(complement([])).toEqual(everything);
  });
});
