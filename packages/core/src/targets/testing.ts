import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Tensor, tensor } from "@reins/tensor";
import { expect } from "vitest";
import type { Fragment } from "../target.ts";

/** Reference values: from the folder REINS_FIXTURES, or `fixtures` at the project's root. */
export function reference<T>(path: string): T {
  const folder =
    process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../fixtures", import.meta.url));
  const file = `${folder}/${path}`;
  if (!existsSync(file))
    throw new Error(`${file} does not exist. Set REINS_FIXTURES to the folder of reference values.`);
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Expects every number to be within `tolerance`, relative to numbers above 1. */
export function expectClose(
  actual: Tensor | ArrayLike<number>,
  expected: readonly number[],
  tolerance = 1e-5,
) {
  const list = Array.from(
    "data" in (actual as object) ? (actual as Tensor).data : (actual as ArrayLike<number>),
  );
  expect(list.length).toBe(expected.length);
  list.forEach((x, i) => {
    const error = Math.abs(x - expected[i]) / Math.max(1, Math.abs(expected[i]));
    if (!(error <= tolerance)) expect.fail(`number ${i} is ${x}; expected ${expected[i]}`);
  });
}

/** A fragment of one environment: one entry per step, "|" after terminations and "…" after truncations. */
export function stretch(
  rewards: readonly number[],
  values: readonly number[],
  nextValues: readonly number[],
  ends: string,
): Fragment {
  const column = (xs: readonly number[]) => tensor(xs.map((x) => [x]));
  const flags = (of: string) => tensor(Array.from(ends, (e) => [of.includes(e)]));
  return {
    reward: column(rewards),
    value: column(values),
    nextValue: column(nextValues),
    terminated: flags("|"),
    done: flags("|…"),
  };
}

/** Six steps with a termination after the second, a truncation after the fourth, and none at the end. */
export const example = (): Fragment =>
  stretch([1, 2, 3, 4, 5, 6], [10, 20, 30, 40, 50, 60], [20, 99, 40, 7, 60, 8], ".|.…..");
