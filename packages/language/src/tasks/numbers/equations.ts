import type { Generator } from "@reins/core/random";
import { equal, fraction, parsed, written } from "../../tools/fraction.ts";
import { stripped, verdict } from "../answers.ts";
import { between } from "../random.ts";
import { textTask } from "../text-task.ts";

/** Linear equations in x: a value may be written as a fraction or a decimal. */
export const equations = textTask<{ x: string }>({
  id: "equations",
  about: "Solve a linear equation for x.",
  levels: 8,
  alphabet: "0123456789x+-*/().=,",
  longest: { prompt: 38, answer: 12 },
  make(random, level) {
    const [text, a, b] = equation(random, level);
    const x = written(fraction(-b, a));
    return { prompt: `${text},x=`, answer: x, data: { x } };
  },
  verify({ data: { x } }, answer) {
    const value = parsed(stripped(answer));
    return verdict(value !== undefined && equal(value, parsed(x)!), value !== undefined, `x is ${x}.`);
  },
  nearMisses({ data: { x } }) {
    const { n, d } = parsed(x)!;
    return [
      `${n + 1n}/${d}`,
      `${n}/${d + 1n}0`,
      `x=${x}`,
      `${x}x`,
      `${n}/0`,
      `${x},${x}`,
      `${-n - 1n}`,
    ].filter((text) => !parsed(text) || !equal(parsed(text)!, { n, d }));
  },
});

/** An equation, and a and b of the equivalent equation ax + b = 0. */
function equation(random: Generator, level: number): [string, number, number] {
  const up = (most: number, least = 1) => between(random, least, most);
  const sign = () => (random.random() < 0.5 ? -1 : 1);
  if (level === 1) {
    const [x, b] = [up(50, 0), up(50)];
    return [`x+${b}=${x + b}`, 1, -x];
  }
  if (level === 2) {
    const [x, a] = [up(20, 0), up(20, 2)];
    return [`${a}x=${a * x}`, a, -a * x];
  }
  if (level < 5) {
    const most = level === 3 ? 9 : 20;
    const [x, a, b] = [up(most, level === 3 ? 0 : -most), up(most, 2), sign() * up(most)];
    const c = level === 3 ? 0 : up(a - 1);
    const right = c === 0 ? `${a * x + b}` : linear(c, (a - c) * x + b);
    return [`${linear(a, b)}=${right}`, 1, -x];
  }
  if (level < 7) {
    const most = level === 5 ? 20 : 99;
    const [a, b, c, d] = [up(most, 2), sign() * up(most), sign() * up(most), sign() * up(most)];
    if (a === c) return equation(random, level);
    return [`${linear(a, b)}=${linear(c, d)}`, a - c, b - d];
  }
  // p(ax+b)-q(cx+d)=r(ex+f)
  const most = level === 7 ? 9 : 99;
  const [p, q, r] = [up(most, 2), up(most, 2), up(most, 2)];
  const [a, b, c, d, e, f] = Array.from({ length: 6 }, () => sign() * up(most));
  const slope = p * a - q * c - r * e;
  if (slope === 0) return equation(random, level);
  return [`${p}(${linear(a, b)})-${q}(${linear(c, d)})=${r}(${linear(e, f)})`, slope, p * b - q * d - r * f];
}

/** The text of ax + b. Only b may be 0. */
function linear(a: number, b: number): string {
  const slope = a === 1 ? "x" : a === -1 ? "-x" : `${a}x`;
  return b === 0 ? slope : `${slope}${b < 0 ? "-" : "+"}${Math.abs(b)}`;
}
