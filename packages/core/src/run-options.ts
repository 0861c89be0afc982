import { type Algorithm, requireAlgorithm } from "./algorithm.ts";
import type { Environment } from "./environment.ts";
import { checkKeys, describeValue, fail } from "./errors.ts";
import { type ExecutionPlan, requirePlan } from "./plan.ts";
import { defaultSeed } from "./stream.ts";
import type { Task } from "./task.ts";

/** Options of a run. The same options and seed give the same run. */
export interface RunOptions {
  readonly algorithm: Algorithm;
  readonly env: Environment;
  /** Environment steps to take. */
  readonly steps: number;
  /** The root of all random numbers (default 0); every random stream is a named child of it (`stream`). */
  readonly seed?: number;
  readonly plan?: ExecutionPlan;
  readonly task?: Task;
  readonly data?: unknown;
  /** Continues when a loss becomes NaN, instead of stopping with the reason. */
  readonly tolerant?: boolean;
}

/** All option names; the type checks that the list is complete. */
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

/** Throws for invalid options before anything starts. */
export function checkOptions(options: RunOptions): RunOptions {
  checkKeys("run", options, names);
  const { algorithm, env, steps, seed = defaultSeed, plan } = options;
  requireAlgorithm("run", algorithm);
  if (plan !== undefined) requirePlan(plan);
  if (!env?.spec) fail("run", "env has no `spec`. Pass { spec, make }.");
  if (typeof steps !== "number" || !(steps > 0))
    fail("run", `steps is ${describeValue(steps)}; it must be a number above 0, such as 100_000.`);
  if (!Number.isSafeInteger(seed) || seed < 0)
    fail("run", `the seed is ${describeValue(seed)}; it must be a whole number from 0.`);
  return options;
}

/** Maximum number of environment copies; catches mistakes before memory runs out. */
const mostRows = 1 << 20;

/** Returns the number of copies, or throws if it is too large. */
export function checkRows(rows: number, id: string): number {
  if (rows > mostRows) fail(id, `${rows} copies were requested; the maximum is ${mostRows}. Lower envs.`);
  return rows;
}
