import type { Generator } from "@reins/core/random";
import { combine, equal, type Fraction, fraction, parsed } from "../../tools/fraction.ts";
import { stripped, verdict } from "../answers.ts";
import { between, many } from "../random.ts";
import type { Verification } from "../text-task.ts";

/** A linear program: maximise under upper limits, or minimise over lower ones. No variable is negative. */
export interface Linear {
  readonly goal: "max" | "min";
  readonly costs: readonly number[];
  readonly rows: readonly (readonly number[])[];
  readonly limits: readonly number[];
}

const names = "xyzw";

const sum = (factors: readonly number[]) =>
  factors.flatMap((f, i) => (f === 0 ? [] : [`${f === 1 ? "" : f}${names[i]}`])).join("+");

/** The text of a prompt: `max 3x+2y;x+y<=4=`. */
export const said = ({ goal, costs, rows, limits }: Linear): string =>
  [
    `${goal} ${sum(costs)}`,
    ...rows.map((row, i) => `${sum(row)}${goal === "max" ? "<=" : ">="}${limits[i]}`),
  ].join(";") + "=";

/**
 * A program with a bounded solution: the first row has every variable. Limits are one to four times the largest
 * factor, times `room`.
 */
export function linear(
  random: Generator,
  goal: "max" | "min",
  variables: number,
  rows: number,
  most: number,
  room = 1,
): Linear {
  const factor = (least: number) => between(random, least, most);
  return {
    goal,
    costs: many(variables, () => factor(1)),
    rows: many(rows, (i) => {
      const row = many(variables, () => factor(i === 0 ? 1 : 0));
      return row.some((f) => f > 0) ? row : row.map((_, k) => (k === i % variables ? 1 : 0));
    }),
    limits: many(rows, () => between(random, most * room, most * room * 4)),
  };
}

const times = (row: readonly number[], x: readonly Fraction[]): Fraction =>
  row.reduce((s, f, i) => combine("+", s, combine("*", fraction(f), x[i])!)!, fraction(0));

const less = (a: Fraction, b: Fraction) => a.n * b.d < b.n * a.d;

export const feasible = ({ goal, rows, limits }: Linear, x: readonly Fraction[]): boolean =>
  x.every(({ n }) => n >= 0n) &&
  rows.every((row, i) => {
    const [left, right] = [times(row, x), fraction(limits[i])];
    return goal === "max" ? !less(right, left) : !less(left, right);
  });

export const objective = ({ costs }: Linear, x: readonly Fraction[]): Fraction => times(costs, x);
export const better = ({ goal }: Linear, a: Fraction, b: Fraction) =>
  goal === "max" ? less(b, a) : less(a, b);

/** Judges values separated by commas: right if they are feasible and reach `best`. Exact, in fractions. */
export function judge(program: Linear, best: Fraction, answer: string, whole: boolean): Verification {
  const count = program.costs.length;
  const parts = stripped(answer).split(",", count + 1);
  const x = parts.map(parsed);
  const formed = x.length === count && x.every((v) => v !== undefined && (!whole || v.d === 1n));
  if (!formed) return verdict(false, false, `Write ${count} numbers with commas between them.`);
  const values = x as Fraction[];
  if (!feasible(program, values)) return verdict(false, true, "It violates a constraint.");
  return verdict(equal(objective(program, values), best), true, `${best.n}/${best.d} is possible.`);
}
