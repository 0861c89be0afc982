import type { Generator } from "@reins/core/random";
import { between } from "../random.ts";
import { type Step, step } from "./step.ts";

/** A step on a number, with an operand up to `most`. */
export const number = (r: Generator, most = 999): Step<number, number> => {
  const k = between(r, 1, most);
  return r.choice([
    step(
      `plus ${k}`,
      (e) => `${e}+${k}`,
      (x: number) => x + k,
    ),
    step(
      `minus ${k}`,
      (e) => `${e}-${k}`,
      (x: number) => x - k,
    ),
    step(
      `times ${k}`,
      (e) => (/^\w+$/.test(e) ? `${e}*${k}` : `(${e})*${k}`),
      (x: number) => x * k,
    ),
  ]);
};
/** A step on a list. */
export const list = (r: Generator): Step<number[], number[]> => {
  const [k, n] = [between(r, 1, 99), between(r, 2, 4)];
  const kinds: Step<number[], number[]>[][] = [
    [
      step(
        `plus ${k}`,
        (e) => `${e}.map(x=>x+${k})`,
        (a: number[]) => a.map((x) => x + k),
      ),
    ],
    [
      step(
        `minus ${k}`,
        (e) => `${e}.map(x=>x-${k})`,
        (a: number[]) => a.map((x) => x - k),
      ),
    ],
    [
      step(
        `times ${k}`,
        (e) => `${e}.map(x=>x*${k})`,
        (a: number[]) => a.map((x) => x * k),
      ),
    ],
    [
      step(
        `over ${k}`,
        (e) => `${e}.filter(x=>x>${k})`,
        (a: number[]) => a.filter((x) => x > k),
      ),
    ],
    [
      step(
        `under ${k}`,
        (e) => `${e}.filter(x=>x<${k})`,
        (a: number[]) => a.filter((x) => x < k),
      ),
    ],
    // Steps with few numbers, together as frequent as one with many.
    [
      step(
        `even`,
        (e) => `${e}.filter(x=>x%2==0)`,
        (a: number[]) => a.filter((x) => x % 2 === 0),
      ),
      step(
        `sorted`,
        (e) => `${e}.sort((x,y)=>x-y)`,
        (a: number[]) => [...a].sort((x, y) => x - y),
      ),
      step(
        `reversed`,
        (e) => `${e}.reverse()`,
        (a: number[]) => [...a].reverse(),
      ),
      step(
        `first ${n}`,
        (e) => `${e}.slice(0,${n})`,
        (a: number[]) => a.slice(0, n),
      ),
      step(
        `without first ${n}`,
        (e) => `${e}.slice(${n})`,
        (a: number[]) => a.slice(n),
      ),
    ],
  ];
  return r.choice(r.choice(kinds));
};
/** A step from a list to a number. */
export const end = (r: Generator): Step<number[], number> =>
  r.choice([
    step(
      `sum`,
      (e) => `${e}.reduce((x,y)=>x+y,0)`,
      (a: number[]) => a.reduce((x, y) => x + y, 0),
    ),
    step(
      `count`,
      (e) => `${e}.length`,
      (a: number[]) => a.length,
    ),
  ]);
