import type { EnvSource, Run } from "@reins/core";
import { make } from "@reins/envs";
import type { Tensor } from "@reins/tensor";
import { type Model, ModelTable } from "./model.ts";

/** An environment by name, for a run. */
export function source(id: string, options: { readonly [name: string]: unknown } = {}): EnvSource {
  const rows = (n: number) => make(id, { ...options, rows: n });
  return { spec: rows(1).spec, make: rows };
}

/** The action that a run of a table would take in each state. */
export function greedyOf(run: Run): Int32Array {
  const { value } = run.process.acting!.weights as { value: Tensor };
  const [states, actions] = value.shape;
  return Int32Array.from({ length: states }, (_, s) => {
    const row = value.data.subarray(s * actions, (s + 1) * actions);
    return row.indexOf(Math.max(...row));
  });
}

/** The exact return from the start of a policy, or of the best one, in at most `horizon` steps. */
export function exactReturn(
  model: Model & { readonly start: readonly number[] },
  { gamma = 1, horizon = 5000, policy }: { gamma?: number; horizon?: number; policy?: Int32Array } = {},
): number {
  const table = new ModelTable(model);
  const { states, actions } = model;
  let values = new Float64Array(states);
  for (let t = 0; t < horizon; t++) {
    values = values.map((_, s) => {
      if (policy) return table.worth(values, s * actions + policy[s], gamma);
      let most = Number.NEGATIVE_INFINITY;
      for (let a = 0; a < actions; a++) most = Math.max(most, table.worth(values, s * actions + a, gamma));
      return most;
    });
  }
  return model.start.reduce((sum, p, s) => sum + p * values[s], 0);
}
