import { choice, define, type Metrics, type ResolvedOptions, setting, size } from "@reins/core";
import { zeros } from "@reins/tensor";
import { type Model, ModelTable, modelFor, requireModel } from "./tabular/model.ts";
import { planPolicy } from "./tabular/table-policy.ts";

const options = {
  method: choice<"value" | "policy">(
    "value",
    ["value", "policy"],
    'Method: value iteration ("value"), or alternating policy evaluation and improvement ("policy").',
  ),
  gamma: setting(
    0.99,
    "Discount factor. Higher looks further ahead and takes more sweeps (0.9 to 1, where every policy must terminate).",
    { within: "share" },
  ),
  tolerance: setting(
    1e-10,
    "Convergence threshold on the largest change of a value in a sweep. Higher stops earlier, further from the optimum (1e-12 to 1e-3).",
    { within: "nonnegative" },
  ),
  sweeps: size(
    1000,
    "Policy iteration: maximum sweeps of policy evaluation before each improvement. Fewer improves on rougher values (5 to 1000).",
    { within: "count" },
  ),
  model: size<Model | undefined>(
    undefined,
    "The model: { states, actions, transition }. By default the run's data, or the model that the environment exposes.",
  ),
};

/** Plans on an exact model: value iteration (Bellman, 1957) and policy iteration (Howard, 1960; truncated: Puterman and Shin, 1978). */
export const planner = define({
  name: "value-iteration",
  summary:
    "Computes the optimal policy of a known model, without interaction. A sweep over all states counts as a step.",
  paper: "A Markovian Decision Process (Bellman, 1957)",
  options,
  actions: ["discrete"],
  requires: (where, name) => requireModel(name, where),
  start(o, context) {
    const { spec, statistics } = context;
    const table = new ModelTable(modelFor("value-iteration", context, o.model));
    const plan = new Plan(table, o);
    const weights = { action: zeros([table.states], "i32") };
    const metrics: Metrics = {};
    return {
      get steps() {
        return plan.counters.sweeps;
      },
      get finished() {
        return plan.counters.converged;
      },
      step() {
        if (o.method === "policy") plan.evaluate();
        plan.improve();
        weights.action.data.set(plan.policy);
        const { change, changed } = plan.counters;
        metrics["value/change"] = change;
        metrics["policy/changed"] = changed;
        metrics["value/mean"] = plan.values.reduce((sum, v) => sum + v / table.states, 0);
        statistics.record("value/change", change);
        return metrics;
      },
      parts: { values: plan.values, policy: plan.policy, counters: plan.counters, weights },
      acting: { policy: planPolicy(spec), weights },
    };
  },
});

/** Sweeps values until they converge. */
class Plan {
  readonly values: Float64Array;
  readonly policy: Int32Array;
  readonly counters = { sweeps: 0, change: 0, changed: 0, converged: false };
  private readonly table: ModelTable;
  private readonly o: ResolvedOptions<typeof options>;

  constructor(table: ModelTable, o: ResolvedOptions<typeof options>) {
    this.table = table;
    this.o = o;
    this.values = new Float64Array(table.states);
    this.policy = new Int32Array(table.states);
  }

  /** Values of the current policy: V(s) ← R(s, π(s)) + γ Σ P V, until they converge or the sweeps are used up. */
  evaluate(): void {
    const { table, values, policy, counters, o } = this;
    for (let sweep = 0; sweep < o.sweeps; sweep++) {
      let change = 0;
      for (let s = 0; s < table.states; s++) {
        const value = table.pairValue(values, s * table.actions + policy[s], o.gamma.value);
        change = Math.max(change, Math.abs(value - values[s]));
        values[s] = value;
      }
      counters.sweeps++;
      if (change <= o.tolerance.value) break;
    }
  }

  /** V(s) ← max over a of R(s, a) + γ Σ P V, in place: later states see the new values of earlier ones. */
  improve(): void {
    const { table, values, policy, counters, o } = this;
    const { actions } = table;
    const gamma = o.gamma.value;
    let change = 0;
    let changed = 0;
    for (let s = 0; s < table.states; s++) {
      let best = policy[s];
      let value = table.pairValue(values, s * actions + best, gamma);
      for (let a = 0; a < actions; a++) {
        const other = table.pairValue(values, s * actions + a, gamma);
        // An improvement within rounding error is ignored: otherwise equal actions would alternate.
        if (other <= value + 1e-12 * Math.max(1, Math.abs(value))) continue;
        best = a;
        value = other;
      }
      change = Math.max(change, Math.abs(value - values[s]));
      if (best !== policy[s]) changed++;
      policy[s] = best;
      values[s] = value;
    }
    counters.sweeps++;
    counters.change = change;
    counters.changed = changed;
    counters.converged = change <= o.tolerance.value;
  }
}
