import { type Algorithm, requireAlgorithm } from "./algorithm.ts";
import { checkKeys, fail, said } from "./errors.ts";
import type { Place } from "./place.ts";
import { type Plan, requirePlan } from "./plan.ts";
import { defaultSeed } from "./stream.ts";
import type { Task } from "./task.ts";

/** What makes a run. The same options and seed give the same run. */
export interface RunOptions {
  readonly algorithm: Algorithm;
  readonly env: Place;
  /** Environment steps to take. */
  readonly steps: number;
  /** The root of all random numbers, 0 by default; everything that draws takes a child of it with a name of its own (`stream`). */
  readonly seed?: number;
  readonly plan?: Plan;
  readonly task?: Task;
  readonly data?: unknown;
  /** Goes on when a loss has become NaN, instead of stopping with the reason. */
  readonly tolerant?: boolean;
}

/** All of them, as the type says. */
const names = Object.keys({
  algorithm: true,
  env: true,
  steps: true,
  seed: true,
  plan: true,
  task: true,
  data: true,
  tolerant: true,
} satisfies { readonly [name in keyof Required<RunOptions>]: true });

/** Refuses what is no run's, with the way out, before anything starts. */
export function admitOptions(options: RunOptions): RunOptions {
  checkKeys("run", options, names);
  const { algorithm, env, steps, seed = defaultSeed, plan } = options;
  requireAlgorithm("run", algorithm);
  if (plan !== undefined) requirePlan(plan);
  if (!env?.spec) fail("run", "env is no place to learn in: it has no `spec`. Give { spec, make }.");
  if (typeof steps !== "number" || !(steps > 0))
    fail("run", `steps is ${said(steps)}; it must be a number above 0, such as 100_000.`);
  if (!Number.isSafeInteger(seed) || seed < 0)
    fail("run", `the seed is ${said(seed)}; it must be a whole number from 0.`);
  return options;
}

/** Far more copies of an environment than anybody learns from, and few enough that asking for more is noticed before memory runs out. */
const mostRows = 1 << 20;

/** As many copies, if that is a number that can be played. */
export function admitRows(rows: number, id: string): number {
  if (rows > mostRows)
    fail(
      id,
      `${rows} copies of it were asked for; at most ${mostRows} are played at once. Choose fewer envs.`,
    );
  return rows;
}
