import { laws, sameNumber, sameNumbers, trimmed } from "../testing.ts";
import {
  bases,
  coins,
  countdown,
  divisors,
  equations,
  expressions,
  factors,
  fractions,
  modular,
  ordering,
  polynomials,
  roman,
  sequences,
  subsets,
  systems,
} from "./index.ts";

/** A recursive calculator on floating-point numbers: NaN for invalid formulas. Digits, + - * / and parentheses. */
function calculate(text: string): number {
  let i = 0;
  const atom = (): number => {
    if (text[i] === "(") {
      i++;
      const value = sum();
      return text[i++] === ")" ? value : Number.NaN;
    }
    const digits = /^[0-9]+/.exec(text.slice(i))?.[0];
    i += digits?.length ?? 0;
    return digits ? Number(digits) : Number.NaN;
  };
  const product = (): number => {
    let value = atom();
    while (text[i] === "*" || text[i] === "/") value = text[i++] === "*" ? value * atom() : value / atom();
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (text[i] === "+" || text[i] === "-")
      value = text[i++] === "+" ? value + product() : value - product();
    return value;
  };
  const value = sum();
  return i === text.length ? value : Number.NaN;
}

const before = (text: string, mark: string) => text.slice(0, text.indexOf(mark));
const close = (a: number, b: number) => Math.abs(a - b) < 1e-9 * Math.max(1, Math.abs(b));

/** An integer, a fraction or a decimal as a floating-point number, otherwise NaN. */
function read(text: string): number {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  const parts = /^(-?\d+)\/(\d+)$/.exec(text);
  return parts && Number(parts[2]) !== 0 ? Number(parts[1]) / Number(parts[2]) : Number.NaN;
}

/** The value of one side of an equation: x, y, z given, factors before letters and parentheses. */
function side(text: string, values: Record<string, number>): number {
  const spelled = text
    .replace(/(\d)(?=[xyz(])/g, "$1*")
    .replace(/[xyz]/g, (name) => (values[name] < 0 ? `(0-${-values[name]})` : `${values[name]}`))
    .replace(/(^|\()-/g, "$10-");
  return calculateDecimal(spelled);
}

/** `calculate` has no decimals: they become fractions of integers first. */
const calculateDecimal = (text: string): number =>
  calculate(text.replace(/(\d+)\.(\d+)(?:e-\d+)?/g, (all) => `(${Math.round(Number(all) * 1e12)}/${1e12})`));

const holds = (equation: string, values: Record<string, number>): boolean => {
  const [left, right] = equation.split("=").map((part) => side(part, values));
  return Math.abs(left - right) < 1e-6;
};

laws({
  task: expressions,
  right: sameNumber((prompt) => Math.round(calculate(before(prompt, "=")))),
  examples: [
    { prompt: "3+4*(2-5)=", right: ["-9", "-09"], wrong: ["9", "-9.0", "3-12"] },
    { prompt: "8-(3-1)=", right: ["6"], wrong: ["4"] },
  ],
});

laws({
  task: modular,
  right(prompt, answer) {
    const text = trimmed(answer);
    if (!/^-?\d+$/.test(text)) return false;
    const unknown = /^(\d+)\*x%(\d+)=(\d+),x=$/.exec(prompt);
    if (unknown) {
      const [a, m, r] = unknown.slice(1).map(BigInt);
      return (((a * BigInt(text) - r) % m) + m) % m === 0n;
    }
    const [, term, m] = /^(.*)%(\d+)=$/.exec(prompt)!;
    const power = /^(\d+)\^(\d+)$/.exec(term);
    const value = power ? BigInt(power[1]) ** BigInt(power[2]) : BigInt(calculate(term));
    return value % BigInt(m) === BigInt(text);
  },
  examples: [
    {
      prompt: "3^4%7=",
      data: { factor: 1, rest: 4, modulus: 7, any: false },
      right: ["4", "04"],
      wrong: ["11", "-3", "81"],
    },
    {
      prompt: "3*x%7=1,x=",
      data: { factor: 3, rest: 1, modulus: 7, any: true },
      right: ["5", "12", "-2"],
      wrong: ["6", "1/3", "7"],
    },
  ],
});

laws({
  task: fractions,
  right(prompt, answer) {
    const match = /^(-?\d+)(?:\/(\d+))?$/.exec(trimmed(answer));
    if (!match || match[0].length > 100) return false;
    const [n, d] = [BigInt(match[1]), BigInt(match[2] ?? 1)];
    const common = (a: bigint, b: bigint): bigint => (b === 0n ? a : common(b, a % b));
    if (d === 0n || common(n < 0n ? -n : n, d) !== 1n) return false;
    return Math.abs(Number(n) / Number(d) - calculate(before(prompt, "="))) < 1e-9;
  },
  examples: [
    {
      prompt: "1/2+1/3=",
      data: { n: "5", d: "6" },
      right: ["5/6", "05/6"],
      wrong: ["10/12", "5/-6", "0.83", "5/0"],
    },
    { prompt: "1/2+1/2=", data: { n: "1", d: "1" }, right: ["1", "1/1"], wrong: ["2/2"] },
  ],
});

/** Prime factors with their multiplicities, by trial division. */
function powers(n: number): Map<number, number> {
  const found = new Map<number, number>();
  for (let p = 2; n > 1; p = p * p > n ? n : p + 1)
    for (; n % p === 0; n /= p) found.set(p, (found.get(p) ?? 0) + 1);
  return found;
}

laws({
  task: divisors,
  right: sameNumber((prompt) => {
    const [a, b] = before(prompt.slice(3), "=")
      .split(",")
      .map((x) => powers(Number(x)));
    const choose = prompt[0] === "g" ? Math.min : Math.max;
    return [...new Set([...a.keys(), ...b.keys()])].reduce(
      (product, p) => product * BigInt(p) ** BigInt(choose(a.get(p) ?? 0, b.get(p) ?? 0)),
      1n,
    );
  }),
  examples: [
    { prompt: "gcd12,18=", right: ["6"], wrong: ["3", "36"] },
    { prompt: "lcm4,6=", right: ["12"], wrong: ["24", "2"] },
  ],
});

laws({
  task: bases,
  right(prompt, answer) {
    const [, from, to, digits] = /^(\d+)>(\d+):(.*)=$/.exec(prompt)!;
    const text = trimmed(answer);
    if (!/^[0-9a-f]+$/i.test(text) || text.length > 100) return false;
    const value = (t: string, base: number) =>
      [...t.toLowerCase()].reduce((sum, c) => {
        const digit = "0123456789abcdef".indexOf(c);
        return digit < base ? sum * base + digit : Number.NaN;
      }, 0);
    return value(text, Number(to)) === value(digits, Number(from));
  },
  examples: [
    {
      prompt: "10>2:13=",
      data: { value: "1101", to: 2 },
      right: ["1101", "01101"],
      wrong: ["13", "1011", "0b1101"],
    },
    { prompt: "2>16:11111=", data: { value: "1f", to: 16 }, right: ["1f", "1F"], wrong: ["31", "0x1f"] },
  ],
});

laws({
  task: ordering,
  right(prompt, answer) {
    const given = before(prompt, "=")
      .split(",")
      .map(read)
      .sort((a, b) => a - b);
    const told = trimmed(answer).split(",").map(read);
    return told.length === given.length && told.every((x, i) => close(x, given[i]));
  },
  examples: [
    {
      prompt: "1/2,0.45,-3=",
      data: { sorted: ["-3", "0.45", "1/2"] },
      right: ["-3,0.45,1/2", "-3,9/20,0.50"],
      wrong: ["-3,1/2,0.45", "-3,0.45", "-3,0.45,1/2,1/2", "-3 0.45 1/2"],
    },
  ],
  most: { answer: 69 },
});

/** Roman numerals by counting: the value of each letter is subtracted before a greater one. */
function fromRoman(text: string): number {
  const values = [...text].map(
    (c) => ({ I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 })[c] ?? Number.NaN,
  );
  return values.reduce((sum, x, i) => (x < (values[i + 1] ?? 0) ? sum - x : sum + x), 0);
}

laws({
  task: roman,
  right(prompt, answer) {
    const text = trimmed(answer);
    const given = before(prompt, "=");
    if (/^[IVXLCDM]+$/.test(given)) return /^\d+$/.test(text) && Number(text) === fromRoman(given);
    // The usual form: at most three equal signs, and one smaller sign before a greater.
    if (!/^M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$/.test(text) || text === "") return false;
    return fromRoman(text) === calculate(given.replace(/[IVXLCDM]+/g, (roman) => `${fromRoman(roman)}`));
  },
  examples: [
    { prompt: "XIV=", right: ["14"], wrong: ["XIV", "16"] },
    { prompt: "XIV+IX=", right: ["XXIII"], wrong: ["23", "XIVIX", "XXIIII"] },
  ],
});

laws({
  task: countdown,
  right(prompt, answer) {
    const [numbers, target] = before(prompt, "=").split(":");
    const text = trimmed(answer);
    const left = numbers.split(",").map(Number);
    for (const used of text.match(/\d+/g) ?? []) {
      const at = left.indexOf(Number(used));
      if (at < 0) return false;
      left.splice(at, 1);
    }
    return close(calculate(text), Number(target));
  },
  examples: [
    {
      prompt: "2,3,7:13=",
      data: { numbers: [2, 3, 7], target: 13 },
      right: ["2*3+7", "7+3*2", "((7)+(2*3))"],
      wrong: ["13", "7+6", "7+3+3", "2*3+7=13", "(2*3+7", "2*3+7*1", "-(0-13)", "2×3+7"],
    },
    // 3/(2/3)=9/2 has an intermediate fraction, and 8/3*... a quotient that becomes an integer in the end.
    {
      prompt: "2,6,8:24=",
      data: { numbers: [2, 6, 8], target: 24 },
      right: ["6/(2/8)", "6*8/2"],
      wrong: ["6/(2-2)", "8*6-24"],
    },
  ],
});

laws({
  task: equations,
  right(prompt, answer) {
    const x = read(trimmed(answer));
    return !Number.isNaN(x) && trimmed(answer).length < 40 && holds(prompt.slice(0, -3), { x });
  },
  examples: [
    { prompt: "3x+4=19,x=", data: { x: "5" }, right: ["5", "5.0", "10/2"], wrong: ["x=5", "6", "15/0"] },
    {
      prompt: "8x-2=0,x=",
      data: { x: "1/4" },
      right: ["1/4", "0.25", "2/8"],
      wrong: ["-1/4", "1/-4", ".25"],
    },
  ],
});

laws({
  task: systems,
  right(prompt, answer) {
    const lines = prompt.split(";");
    const values = trimmed(answer).split(",").map(read);
    const [x, y, z] = values;
    if (values.length !== lines.length - 1 || values.some(Number.isNaN)) return false;
    return lines.slice(0, -1).every((line) => holds(line, { x, y, z }));
  },
  examples: [
    {
      prompt: "x+y=7;x-y=1;x,y=",
      data: { solution: ["4", "3"] },
      right: ["4,3", "8/2,3.0"],
      wrong: ["3,4", "x=4,y=3", "4", "4,3,0"],
    },
  ],
});

laws({
  task: polynomials,
  right: sameNumber((prompt) => {
    const [, body, x] = /^f=(.*),f\((-?\d+)\)=$/.exec(prompt)!;
    let value = 0n;
    for (const [, sign, factor, letter, power] of body.matchAll(/([+-]?)(\d*)(x?)(?:\^(\d))?/g)) {
      if (factor === "" && letter === "") continue;
      const term = BigInt(factor || 1) * (letter ? BigInt(x) ** BigInt(power ?? 1) : 1n);
      value += sign === "-" ? -term : term;
    }
    return value;
  }),
  examples: [{ prompt: "f=2x^2-x+3,f(-2)=", right: ["13"], wrong: ["9", "-5"] }],
});

laws({
  task: factors,
  right(prompt, answer) {
    const text = trimmed(answer);
    const prime = (n: number) =>
      n > 1 &&
      !Array.from({ length: Math.floor(Math.sqrt(n)) }, (_, i) => i + 1).some((p) => p > 1 && n % p === 0);
    if (prompt[0] === "p")
      return (
        /^\d{1,6}$/.test(text) &&
        prime(Number(text)) &&
        Number(before(prompt.slice(2), "=")) % Number(text) === 0
      );
    if (!/^\d+(\^\d+)?(\*\d+(\^\d+)?)*$/.test(text)) return false;
    const parts = text.split("*").map((part) => part.split("^").map(Number));
    if (parts.some(([p, k = 1]) => p > 1e8 || !prime(p) || k < 1 || k > 40)) return false;
    return parts.reduce((product, [p, k = 1]) => product * p ** k, 1) === Number(before(prompt, "="));
  },
  examples: [
    {
      prompt: "84=",
      data: { factors: [2, 2, 3, 7], one: false },
      right: ["2*2*3*7", "7*3*2^2", "2*3*7*2"],
      wrong: ["84", "4*3*7", "2*3*7", "1*2*2*3*7", "2*2*3*7*11^0", "2^9999999999"],
    },
    {
      prompt: "p|84=",
      data: { factors: [2, 2, 3, 7], one: true },
      right: ["2", "7"],
      wrong: ["4", "1", "2*2", "84", "2^2"],
    },
  ],
});

laws({
  task: sequences,
  right: sameNumbers((prompt) => {
    // Brute force over small rules: differences that become constant, a fixed recurrence, or two interleaved
    // sequences.
    const terms = prompt.split(",").slice(0, -1).map(Number);
    const asked = prompt.length - prompt.indexOf("?");
    const fits = (from: number, next: (t: number[]) => number) => {
      const grown = terms.slice(0, from);
      while (grown.length < terms.length + asked) grown.push(next(grown));
      return terms.every((x, i) => grown[i] === x) ? grown.slice(terms.length).join(",") : undefined;
    };
    const last = (t: number[], k = 1) => t[t.length - k];
    const second = terms[2] - 2 * terms[1] + terms[0];
    let found = fits(2, (t) => 2 * last(t) - last(t, 2));
    if (terms.length === 3) return found!;
    found ??= fits(3, (t) => 2 * last(t) - last(t, 2) + second);
    found ??= fits(4, (t) => 2 * last(t, 2) - last(t, 4));
    for (let p = -9; p <= 9 && !found; p++) {
      for (let q = -9; q <= 9 && !found; q++) found = fits(2, (t) => p * last(t) + q * last(t, 2));
      found ??= fits(2, (t) => p * last(t) + terms[1] - p * terms[0]);
    }
    return found!;
  }),
  examples: [
    { prompt: "2,5,8,11,?", right: ["14"], wrong: ["13", "14,17"] },
    { prompt: "1,2,3,5,8,??", right: ["13,21"], wrong: ["13", "13,20"] },
    { prompt: "1,4,9,16,25,?", right: ["36"], wrong: ["35"] },
  ],
});

laws({
  task: coins,
  right(prompt, answer) {
    const [kinds, amount] = before(prompt, "=").split(":");
    const paid = trimmed(answer).split(",");
    if (!paid.every((x) => /^\d{1,9}$/.test(x) && kinds.split(",").map(Number).includes(Number(x))))
      return false;
    if (paid.reduce((sum, x) => sum + Number(x), 0) !== Number(amount)) return false;
    // Breadth-first search: all amounts reachable with one coin more.
    let reached = new Set([0]);
    let count = 0;
    for (; !reached.has(Number(amount)); count++)
      reached = new Set(
        [...reached]
          .flatMap((x) => kinds.split(",").map((c) => x + Number(c)))
          .filter((x) => x <= Number(amount)),
      );
    return paid.length === count;
  },
  examples: [
    {
      prompt: "1,3,4:6=",
      data: { coins: [1, 3, 4], amount: 6, fewest: 2 },
      right: ["3,3", "03,3"],
      wrong: ["4,1,1", "6", "3", "3,3,0", "2,4"],
    },
  ],
});

laws({
  task: subsets,
  right(prompt, answer) {
    const [numbers, sum] = before(prompt, "=").split(":");
    const left = numbers.split(",").map(Number);
    let total = 0;
    for (const part of trimmed(answer).split(",")) {
      const at = /^\d+$/.test(part) ? left.indexOf(Number(part)) : -1;
      if (at < 0) return false;
      total += left.splice(at, 1)[0];
    }
    return total === Number(sum);
  },
  examples: [
    {
      prompt: "3,8,5,12:20=",
      data: { numbers: [3, 8, 5, 12], sum: 20 },
      right: ["8,12", "12,8", "3,5,12"],
      wrong: ["20", "5,5,10", "3,8,5", "8,12,12", "8+12"],
    },
  ],
});
