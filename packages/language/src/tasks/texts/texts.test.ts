import { describe, expect, it } from "vitest";
import { laws, sameNumbers, sameText, trimmed } from "../testing.ts";
import {
  brackets,
  ciphers,
  counting,
  dates,
  editing,
  lists,
  patterns,
  replacing,
  reversal,
  runs,
  searching,
  sorting,
  unique,
} from "./index.ts";
import { compile, matches } from "./pattern.ts";

const az = "abcdefghijklmnopqrstuvwxyz";

laws({
  task: sorting,
  right: sameText((prompt) => {
    if (prompt.includes("##")) {
      const [words, alphabet] = prompt.slice(0, -1).split("##");
      const digits = (word: string) => [...word].map((c) => alphabet.indexOf(c) + 1);
      // The sum and then the positions, all in one string of digits.
      const key = (word: string) => `${digits(word).reduce((a, b) => a + b, 100)}${digits(word).join("")}`;
      const keyed = words.split(",").map((word) => [key(word), word]);
      return keyed
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, word]) => word)
        .join(",");
    }
    const order = prompt[prompt.length - 2];
    const mark = prompt.includes(",") ? "," : "";
    // Insertion sort with its own comparison, letter by letter.
    const after = (a: string, b: string): boolean => {
      if (order === "#" && a.length !== b.length) return a.length > b.length;
      for (let i = 0; i < Math.max(a.length, b.length); i++) {
        const difference = az.indexOf(a[i] ?? "") - az.indexOf(b[i] ?? "");
        if (i >= a.length || i >= b.length) return order === ">" ? i >= a.length : i >= b.length;
        if (difference !== 0) return order === ">" ? difference < 0 : difference > 0;
      }
      return false;
    };
    const sorted: string[] = [];
    for (const item of prompt.slice(0, -2).split(mark)) {
      const place = sorted.findIndex((other) => after(other, item));
      sorted.splice(place < 0 ? sorted.length : place, 0, item);
    }
    return sorted.join(mark);
  }),
  examples: [
    { prompt: "cab<=", right: ["abc"], wrong: ["cab", "cba", "a,b,c"] },
    { prompt: "ab,b,aab>=", right: ["b,ab,aab"], wrong: ["aab,ab,b", "b,ab"] },
    { prompt: "ab,cc,ba,b##cba=", right: ["cc,b,ba,ab"], wrong: ["b,cc,ba,ab", "cc,b,ab,ba", "ab,b,ba,cc"] },
    { prompt: "ccc,b,aa,a#=", right: ["a,b,aa,ccc"], wrong: ["a,aa,b,ccc"] },
  ],
});

laws({
  task: searching,
  right: sameNumbers((prompt) => {
    const [, kind, piece, text] = /^(.)@([\w,]+):(\w+)=$/.exec(prompt)!;
    // The shortest match of the subsequence from the beginning on.
    const end = (row: string) => new RegExp(`^.*?${[...row].join(".*?")}`).exec(text)![0].length;
    if (kind === "n") return piece.split(",").map(end).join(",");
    const places = [...text].flatMap((_, i) => (text.slice(i, i + piece.length) === piece ? [i + 1] : []));
    return (kind === "a" ? places : kind === "f" ? places.slice(0, 1) : places.slice(-1)).join(",");
  }),
  examples: [
    { prompt: "f@c:abcac=", right: ["3", "03"], wrong: ["2", "3,5"] },
    { prompt: "a@aa:aaba=", right: ["1"], wrong: ["1,2"] },
    { prompt: "a@aa:aaa=", right: ["1,2"], wrong: ["1", "2,1"] },
    { prompt: "n@ab,bb,c:bacbac=", right: ["4,4,3"], wrong: ["2,4,3", "4,4,6", "4"] },
  ],
});

laws({
  task: reversal,
  right: sameText((prompt) => {
    const [program, text] = prompt.slice(0, -1).split(":");
    let letters = [...text];
    for (const [step] of program.matchAll(/[rsh]|[<>]\d/g)) {
      const n = letters.length;
      const by = step === "h" ? n / 2 : Number(step[1]);
      // The source of each letter.
      letters = letters.map((_, i) => {
        if (step === "r") return letters[n - 1 - i];
        if (step === "s") return letters[i % 2 === 1 ? i - 1 : i + 1 < n ? i + 1 : i];
        return letters[(step[0] === ">" ? i + n - by : i + by) % n];
      });
    }
    return letters.join("");
  }),
  examples: [
    { prompt: "r:abc=", right: ["cba"], wrong: ["abc"] },
    { prompt: "<2s:abcde=", right: ["dcaeb"], wrong: ["cdeab"] },
    { prompt: ">1:abcd=", right: ["dabc"], wrong: ["bcda"] },
  ],
});

laws({
  task: unique,
  right: sameText((prompt) => {
    const mark = prompt.includes(",") ? "," : "";
    const items = prompt.slice(2, -1).split(mark);
    const kept: string[] = [];
    for (const item of prompt[0] === "l" ? items.reverse() : items)
      if (prompt[0] === "o" ? items.filter((x) => x === item).length === 1 : !kept.includes(item))
        kept.push(item);
    return (prompt[0] === "l" ? kept.reverse() : kept).join(mark);
  }),
  examples: [
    { prompt: "f:aabca=", right: ["abc"], wrong: ["bca", "bc", "aabca"] },
    { prompt: "l:aabca=", right: ["bca"], wrong: ["abc"] },
    { prompt: "o:aabca=", right: ["bc"], wrong: ["abc"] },
  ],
});

laws({
  task: editing,
  right: sameText((prompt) => {
    const [text, ...edits] = prompt.slice(0, -1).split(" ");
    return edits.reduce((t, edit) => {
      const [, kind, place, rest] = /^(.)(\d+)\.?(.*)$/.exec(edit)!;
      const i = Number(place) - 1;
      if (kind === "-") return t.slice(0, i) + t.slice(i + 1);
      if (kind === "+") return t.slice(0, i) + rest + t.slice(i);
      if (kind === "!") return t.slice(0, i) + rest + t.slice(i + 1);
      const [a, b] = [i, Number(rest) - 1].sort((x, y) => x - y);
      return a === b ? t : t.slice(0, a) + t[b] + t.slice(a + 1, b) + t[a] + t.slice(b + 1);
    }, text);
  }),
  examples: [{ prompt: "abcd -2 +1x !3z ~1.4=", right: ["dazx"], wrong: ["xazd", "abcd"] }],
});

laws({
  task: replacing,
  right: sameText((prompt) => {
    const always = prompt.endsWith("*=");
    const [text, ...rules] = prompt.slice(0, always ? -2 : -1).split(" ");
    const pairs = rules.map((rule) => rule.split(">"));
    let result = text;
    if (!always) {
      for (const [from, to] of pairs) {
        let done = "";
        for (let i = 0; i < result.length; )
          if (result.slice(i, i + from.length) === from) [done, i] = [done + to, i + from.length];
          else done += result[i++];
        result = done;
      }
      return result;
    }
    for (let again = true; again; ) {
      again = false;
      for (const [from, to] of pairs) {
        const at = result.indexOf(from);
        if (at < 0) continue;
        result = result.slice(0, at) + to + result.slice(at + from.length);
        again = true;
        break;
      }
    }
    return result;
  }),
  examples: [
    { prompt: "banana an>o=", right: ["booa"], wrong: ["boona", "banana"] },
    { prompt: "abab ab>b*=", right: ["bb"], wrong: ["b", "bab"] },
  ],
});

laws({
  task: counting,
  right: sameNumbers((prompt) => {
    const [pieces, text] = prompt.slice(0, -1).split("?");
    const count = (piece: string) =>
      text.includes(" ")
        ? text.split(" ").filter((word) => word === piece).length
        : (text.match(new RegExp(`(?=${piece})`, "g")) ?? []).length;
    return pieces.split(",").map(count).join(",");
  }),
  examples: [
    { prompt: "a?banana=", right: ["3"], wrong: ["2", "a3"] },
    { prompt: "aa,ab?aaab=", right: ["2,1"], wrong: ["1,1", "1,2"] },
    { prompt: "ab,ba?ab ba ab=", right: ["2,1"], wrong: ["3"] },
  ],
});

laws({
  task: ciphers,
  right: sameText((prompt) => {
    const [key, secret] = prompt.slice(0, -1).split(":");
    const [plain, table] = key.split(">");
    const place = (c: string) => az.indexOf(c);
    // The letter that enciphers to this one.
    const undo = (cipher: (x: number, i: number) => number) =>
      [...secret].map((c, i) => [...az].find((x) => cipher(place(x), i) % 26 === place(c))).join("");
    if (table?.length === 6) return [...secret].map((c) => plain[table.indexOf(c)]).join("");
    if (table) return undo((x) => x + place(table[0]) - place(plain[0]) + 26);
    if (key[0] === "+") return undo((x) => x + Number(key.slice(1)));
    const formula = /^(\d+)x\+(\d+)$/.exec(key);
    if (formula) return undo((x) => x * Number(formula[1]) + Number(formula[2]));
    return undo((x, i) => x + place(key[i % (key.length - 1)]));
  }),
  examples: [
    { prompt: "+3:fdw=", right: ["cat"], wrong: ["fdw", "ibz"] },
    { prompt: "ab+:bbc=", right: ["bac"], wrong: ["bcc"] },
    { prompt: "cat>fdw:grj=", right: ["dog"], wrong: ["cat"] },
    { prompt: "5x+3:di=", right: ["ab"], wrong: ["di"] },
  ],
});

laws({
  task: brackets,
  right(prompt, answer) {
    const gaps = prompt.slice(0, -1).split("?");
    const told = trimmed(answer);
    if (told.length !== gaps.length - 1) return false;
    let text = gaps.map((part, i) => part + (told[i] ?? "")).join("");
    for (let before = ""; before !== text; ) [before, text] = [text, text.replace(/\(\)|\[\]|\{\}|<>/g, "")];
    return text === "";
  },
  examples: [
    { prompt: "([{}??=", data: { text: "([{}??" }, right: ["])"], wrong: [")]", "]", "])]", "}]"] },
    { prompt: "????=", data: { text: "????" }, right: ["()[]", "(())", "<{}>"], wrong: ["([)]", "(((("] },
  ],
});

laws({
  task: lists,
  right: sameNumbers((prompt) => {
    const [first, ...steps] = prompt.slice(0, -1).split(":");
    let numbers = first.split(",").map(Number);
    for (const step of steps) {
      const [kind, k] = [step[0], Number(step.slice(1))];
      const kept: number[] = [];
      let sum = 0;
      numbers.forEach((x, i) => {
        if (kind === "+") kept.push(x + k);
        else if (kind === "-") kept.push(x - k);
        else if (kind === "*") kept.push(x * k);
        else if (kind === "%") kept.push(x - k * Math.floor(x / k));
        else if (kind === "c") kept.push((sum += x));
        else if (kind === "r") kept.unshift(x);
        else if (kind === "s") kept.splice(kept.filter((y) => y <= x).length, 0, x);
        else if (
          (kind === ">" && x > k) ||
          (kind === "<" && x < k) ||
          (kind === "e" && Math.abs(x) % 2 === 0) ||
          (kind === "o" && Math.abs(x) % 2 === 1) ||
          (kind === "t" && i < k) ||
          (kind === "d" && i >= k) ||
          (kind === "u" && numbers.indexOf(x) === i)
        )
          kept.push(x);
      });
      numbers = kept;
    }
    return numbers.join(",");
  }),
  examples: [
    { prompt: "3,1,2:+1:>2=", right: ["4,3", "04,3"], wrong: ["4,2,3", "3,4", "4,3,"] },
    { prompt: "5,1,5:u:c:r=", right: ["6,5"], wrong: ["5,6"] },
  ],
});

laws({
  task: runs,
  right: sameText((prompt) => {
    const body = prompt.slice(2, -1);
    if (prompt[0] === "e") return body.replace(/(.)\1*/g, (run) => `${run.length}${run[0]}`);
    let text = body;
    // From the inside out.
    for (let before = ""; before !== text; )
      [before, text] = [
        text,
        text.replace(/(\d+)(?:([a-z])|\(([a-z]*)\))/g, (_, n, c, s) => (c ?? s).repeat(Number(n))),
      ];
    if (prompt[0] === "t")
      return [...text]
        .sort()
        .join("")
        .replace(/(.)\1*/g, (run) => `${run.length}${run[0]}`);
    return text;
  }),
  examples: [
    { prompt: "t:2(1a3b)1a=", right: ["3a6b"], wrong: ["6b3a", "2a6b1a", "abbbabbba"] },
    { prompt: "e:aaab=", right: ["3a1b"], wrong: ["3ab", "2a1a1b", "aaab"] },
    { prompt: "d:2(1a2b)1c=", right: ["abbabbc"], wrong: ["abbc", "2(abb)c"] },
  ],
});

laws({
  task: patterns,
  right(prompt, answer) {
    const [, length, all] = /^(\d+):(.*)=$/.exec(prompt)!;
    const text = trimmed(answer);
    if (text.length !== Number(length) || !/^[abcd]*$/.test(text)) return false;
    return all.split("&").every((pattern) => new RegExp(`^(?:${pattern})$`).test(text));
  },
  examples: [
    {
      prompt: "3:a[bc]d*&.(c|bb)d=",
      data: { length: 3, patterns: ["a[bc]d*", ".(c|bb)d"] },
      right: ["acd"],
      wrong: ["abd", "abbd"],
    },
    {
      prompt: "3:a[bc]d*=",
      data: { length: 3, patterns: ["a[bc]d*"] },
      right: ["abd", "acd"],
      wrong: ["abdd", "ab", "add", "a[bc]d*", "ABD", "abd|acd"],
    },
  ],
  most: { prompt: 254 },
});

laws({
  task: dates,
  right: sameText((prompt) => {
    // JavaScript's own calendar.
    const read = (text: string) => new Date(`${text}T00:00:00Z`);
    const day = 86_400_000;
    const write = (time: number) => new Date(time).toISOString().slice(0, 10);
    const names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    const first = prompt.slice(0, 10);
    let match = /^.{10}([+-])(\d+)d=$/.exec(prompt);
    if (match) return write(read(first).getTime() + Number(match[1] + match[2]) * day);
    match = /^.{10}\+(\d+)m=$/.exec(prompt);
    if (match) {
      const date = read(first);
      date.setUTCMonth(date.getUTCMonth() + Number(match[1]));
      return write(date.getTime());
    }
    match = /^.{10}:(.{10})=$/.exec(prompt);
    if (match) return `${(read(match[1]).getTime() - read(first).getTime()) / day}`;
    match = /^.{10}>(...)=$/.exec(prompt);
    if (match) {
      let time = read(first).getTime() + day;
      while (names[new Date(time).getUTCDay()] !== match[1]) time += day;
      return write(time);
    }
    const [, month, which, name, more] = /^(.{7}):(\d)(...)\+(\d+)d=$/.exec(prompt)!;
    let [time, seen] = [read(`${month}-01`).getTime() - day, 0];
    while (seen < Number(which)) if (names[new Date((time += day)).getUTCDay()] === name) seen++;
    return write(time + Number(more) * day);
  }),
  examples: [
    { prompt: "2024-02-28+2d=", right: ["2024-03-01"], wrong: ["2024-02-30", "2024-3-1", "01-03-2024"] },
    { prompt: "2023-12-31:2024-03-01=", right: ["61"], wrong: ["60"] },
    { prompt: "2026-11-15>Fri=", right: ["2026-11-20"], wrong: ["2026-11-13"] },
  ],
});

describe("pattern", () => {
  it("matches like JavaScript's regular expressions", () => {
    const texts = ["", ..."abcd", "ab", "ba", "abab", "aab", "abc", "bcd", "aaaa", "dcba", "abcabc"];
    for (const pattern of [
      "a",
      "ab*",
      "(ab)*",
      "(a|b)+",
      "[ab]+c?",
      ".*",
      "a(b|)c*",
      "(a*)*b?",
      "((a|b)(c|d)?)*",
    ])
      for (const text of texts)
        expect(matches(compile(pattern, "abcd")!, text), `${pattern} ${text}`).toBe(
          new RegExp(`^(?:${pattern})$`).test(text),
        );
  });

  it("rejects invalid patterns", () => {
    for (const pattern of ["(", ")", "*", "[", "[]", "(a", "a)", "e", "a**b("])
      expect(compile(pattern, "abcd"), pattern).toBe(undefined);
  });

  it("takes linear time where backtracking takes exponential time", () => {
    expect(matches(compile("(a*)*b", "abcd")!, "a".repeat(10_000))).toBe(false);
  });
});
