import { many } from "../random.ts";
import { type Step, step } from "./step.ts";

/** The values that programs work on. */
export type List = readonly number[];
type Lists = Step<List, List>;
type End = Step<List, number>;

/** Appends JavaScript to the code so far. */
const then =
  (code: string) =>
  (of: string): string =>
    of + code;
const upTo = (n: number) => many(n, (i) => i + 1);

/** Steps from a list to a list. */
export const steps: readonly Lists[] = [
  ...upTo(9).map((k) => step("", then(`.map(x=>x+${k})`), (a: List) => a.map((x) => x + k))),
  ...upTo(9).map((k) => step("", then(`.map(x=>x-${k})`), (a: List) => a.map((x) => x - k))),
  ...[2, 3, 4, 5].map((k) => step("", then(`.map(x=>x*${k})`), (a: List) => a.map((x) => x * k))),
  step("", then(".map(x=>-x)"), (a: List) => a.map((x) => 0 - x)),
  step("", then(".map(x=>x*x)"), (a: List) => a.map((x) => x * x)),
  step("", then(".filter(x=>x%2==0)"), (a: List) => a.filter((x) => x % 2 === 0)),
  step("", then(".filter(x=>x%2)"), (a: List) => a.filter((x) => x % 2 !== 0)),
  step("", then(".filter(x=>x>0)"), (a: List) => a.filter((x) => x > 0)),
  step("", then(".filter(x=>x<0)"), (a: List) => a.filter((x) => x < 0)),
  step("", then(".sort((x,y)=>x-y)"), (a: List) => [...a].sort((x, y) => x - y)),
  step("", then(".sort((x,y)=>y-x)"), (a: List) => [...a].sort((x, y) => y - x)),
  step("", then(".reverse()"), (a: List) => [...a].reverse()),
  step("", then(".slice(1)"), (a: List) => a.slice(1)),
  step("", then(".slice(2)"), (a: List) => a.slice(2)),
  step("", then(".slice(0,-1)"), (a: List) => a.slice(0, -1)),
  step(
    "",
    (e) => `[...new Set(${e})]`,
    (a: List) => [...new Set(a)],
  ),
];
/** Steps from a list to a number. */
export const ends: readonly End[] = [
  step("", then(".length"), (a: List) => a.length),
  step("", then(".reduce((x,y)=>x+y,0)"), (a: List) => a.reduce((x, y) => x + y, 0)),
  step(
    "",
    (e) => `Math.max(...${e})`,
    (a: List) => Math.max(...a),
  ),
  step(
    "",
    (e) => `Math.min(...${e})`,
    (a: List) => Math.min(...a),
  ),
];
/** Steps short enough for the first level. */
export const shortest: readonly Step<List, List | number>[] = [
  ...[0, 1, 2].map((i) => step("", then(`[${i}]`), (a: List) => a[i])),
  step("", then(".at(-1)"), (a: List) => a[a.length - 1]),
  step("", then(".length"), (a: List) => a.length),
  step("", then(".slice(1)"), (a: List) => a.slice(1)),
  step("", then(".slice(2)"), (a: List) => a.slice(2)),
];
