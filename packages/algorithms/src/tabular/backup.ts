import { choice, setting, size } from "@reins/core";
import { type ActionValues, learned, type Rates } from "./action-values.ts";
import type { After } from "./play.ts";

/** Options of multi-step backups. */
export const backupRows = {
  nStep: size(
    1,
    "Steps of an n-step return before bootstrapping. More propagates rewards faster, with more variance (1 to 10).",
    { within: "count" },
  ),
  traces: choice<"none" | "accumulating" | "replacing">(
    "none",
    ["none", "accumulating", "replacing"],
    "Eligibility traces: errors are propagated back along the trajectory, as far as lambda allows.",
  ),
  lambda: setting(
    0.9,
    "Eligibility traces: lambda. Higher learns faster, with more variance (0.5 to 0.95).",
    { within: "share" },
  ),
};

/** Updates the table from steps. Rows are independent: each plays its own episodes. */
export interface Backup {
  /** Learns from a step: the taken pair, and its outcome. */
  step(row: number, which: number, pair: number, after: After): void;
  /** The episode of a row ended with the last step. */
  end(row: number): void;
  /** A non-greedy action was chosen: later rewards do not belong to the greedy policy. */
  cut(row: number): void;
  /** State for checkpoints. */
  readonly parts: { readonly [name: string]: unknown };
}

/** One-step backup. */
export function oneStep(values: ActionValues, rates: Rates): Backup {
  return {
    step(_row, which, pair, { reward, nextValue }) {
      values.approach(which, pair, reward + rates.gamma * nextValue, rates);
    },
    end() {},
    cut() {},
    parts: {},
  };
}

/** n-step backup: the last steps wait until enough rewards are available or the episode ends. */
export function manySteps(values: ActionValues, rates: Rates, rows: number, steps: number): Backup {
  const pairs = new Int32Array(rows * steps);
  const rewards = new Float64Array(rows * steps);
  /** Number of pending steps in each row, and the index of the oldest. */
  const waiting = new Int32Array(rows);
  const first = new Int32Array(rows);
  /** Bootstrap value after the last step of each row, in case the episode ends there. */
  const last = new Float64Array(rows);
  const tables = new Int32Array(rows);
  /** Learns from the oldest pending step. */
  const shift = (row: number): void => {
    let target = last[row];
    const base = row * steps;
    for (let k = waiting[row] - 1; k >= 0; k--)
      target = rewards[base + ((first[row] + k) % steps)] + rates.gamma * target;
    const pair = pairs[base + first[row]];
    first[row] = (first[row] + 1) % steps;
    waiting[row]--;
    values.approach(tables[row], pair, target, rates);
  };
  const flush = (row: number): void => {
    while (waiting[row] > 0) shift(row);
  };
  return {
    step(row, which, pair, { reward, nextValue }) {
      const at = row * steps + ((first[row] + waiting[row]) % steps);
      pairs[at] = pair;
      rewards[at] = reward;
      waiting[row]++;
      last[row] = nextValue;
      tables[row] = which;
      if (waiting[row] === steps) shift(row);
    },
    end: flush,
    // The rewards so far belong to greedy actions; bootstrap early.
    cut: flush,
    parts: { pairs, rewards, waiting, first, last, tables },
  };
}

/** Traces below this are dropped. */
const least = 1e-4;

/**
 * Eligibility traces: every error is propagated back to earlier pairs with decaying weight (Watkins, 1989; Sutton
 * and Barto, 2018, chapter 12).
 */
export function traced(
  values: ActionValues,
  rates: Rates,
  rows: number,
  kind: "accumulating" | "replacing",
): Backup {
  const [table] = values.tables;
  const [counts] = values.counts;
  const size = table.length;
  const trace = new Float64Array(rows * size);
  /** The pairs of each row that have a trace, unordered. */
  const active = new Int32Array(rows * size);
  const used = new Int32Array(rows);
  const forget = (row: number) => {
    for (let i = 0; i < used[row]; i++) trace[row * size + active[row * size + i]] = 0;
    used[row] = 0;
  };
  return {
    step(row, _which, pair, { reward, nextValue }) {
      const base = row * size;
      const error = reward + rates.gamma * nextValue - table[pair];
      const fade = rates.gamma * rates.lambda;
      counts[pair]++;
      if (trace[base + pair] === 0) active[base + used[row]++] = pair;
      trace[base + pair] = kind === "replacing" ? 1 : trace[base + pair] + 1;
      for (let i = used[row] - 1; i >= 0; i--) {
        const p = active[base + i];
        table[p] += learned(rates, error, counts[p]) * trace[base + p];
        trace[base + p] *= fade;
        if (trace[base + p] >= least) continue;
        trace[base + p] = 0;
        active[base + i] = active[base + --used[row]];
      }
      values.note(error);
    },
    end: forget,
    cut: forget,
    parts: { trace, active, used },
  };
}

/** The backup that the options describe. */
export function backupOf(
  o: {
    readonly traces: "none" | "accumulating" | "replacing";
    readonly nStep: number;
    readonly envs: number;
  },
  values: ActionValues,
  rates: Rates,
): Backup {
  if (o.traces !== "none") return traced(values, rates, o.envs, o.traces);
  return o.nStep > 1 ? manySteps(values, rates, o.envs, o.nStep) : oneStep(values, rates);
}
