import { type Env, Run, type Snapshot, type StepEnvironment } from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { save } from "@reins/core/snapshots";
import { make } from "@reins/envs";
import type { Tensor } from "@reins/tensor";
import { expect } from "vitest";
import { type Model, ModelTable } from "./model.ts";

/** An environment by name, for a run. */
export function source(id: string, options: { readonly [name: string]: unknown } = {}): StepEnvironment {
  const rows = (n: number) => make(id, { ...options, rows: n });
  return { spec: rows(1).spec, make: rows };
}

/** A test environment, for a run. */
export function sourceOf(env: () => Env): StepEnvironment {
  return { spec: env().spec, make: (rows) => vectorise(env, rows) };
}

/** The greedy action of a table run in each state. */
export function greedyOf(run: Run): Int32Array {
  const { value } = run.process.acting!.weights as { value: Tensor };
  const [states, actions] = value.shape;
  return Int32Array.from({ length: states }, (_, s) => {
    const row = value.data.subarray(s * actions, (s + 1) * actions);
    return row.indexOf(Math.max(...row));
  });
}

/** The exact return of a policy, or of the optimal one, from the initial state in at most `horizon` steps. */
export function exactReturn(
  model: Model & { readonly start: readonly number[] },
  { gamma = 1, horizon = 5000, policy }: { gamma?: number; horizon?: number; policy?: Int32Array } = {},
): number {
  const table = new ModelTable(model);
  const { states, actions } = model;
  let values = new Float64Array(states);
  for (let t = 0; t < horizon; t++) {
    const next = new Float64Array(states).fill(Number.NEGATIVE_INFINITY);
    for (let s = 0; s < states; s++)
      for (let a = 0; a < actions; a++)
        if (!policy || policy[s] === a)
          next[s] = Math.max(next[s], table.pairValue(values, s * actions + a, gamma));
    const moved = next.some((v, s) => Math.abs(v - values[s]) > 1e-10);
    values = next;
    if (!moved) break;
  }
  return model.start.reduce((sum, p, s) => sum + p * values[s], 0);
}

/**
 * Checks that equal seeds give equal runs, different seeds different ones, and that a restored run continues
 * exactly.
 */
export function expectExact(options: ConstructorParameters<typeof Run>[0]): void {
  const state = (run: Run): Snapshot => save({ run, steps: run.steps });
  const half = options.steps / 2;
  const whole = new Run({ ...options, seed: 7 });
  whole.advance(half);
  const saved = whole.save();
  whole.advance();
  const again = new Run({ ...options, seed: 7 });
  again.advance();
  expect(state(again)).toEqual(state(whole));
  const resumed = new Run({ ...options, seed: 8 });
  resumed.advance(half);
  expect(resumed.save()).not.toEqual(saved);
  resumed.restore(saved);
  resumed.advance();
  expect(state(resumed)).toEqual(state(whole));
}
