import { leaves, Tensor, type Tree } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { meanOf } from "../evaluations/mean.ts";

/** Mean and standard deviation of the finite numbers, and whether any was not finite. */
export interface Spread {
  readonly mean: number;
  readonly std: number;
  readonly low: number;
  readonly high: number;
  readonly broken: boolean;
}

export function spreadOf(values: ArrayLike<number>): Spread {
  const finite = Float64Array.from(values).filter(Number.isFinite);
  const mean = meanOf(finite);
  let [squares, low, high] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of finite) {
    squares += (value - mean) ** 2;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const std = Math.sqrt(squares / finite.length);
  return { mean, std, low, high, broken: finite.length < values.length };
}

/** Each feature of a tree of columns as an array over all steps, with a name; bytes and whole numbers are left out. */
export function features(tree: Tree, leading: number): { name: string; values: Float64Array }[] {
  return leaves(tree).flatMap((t, part) => {
    if (t.dtype !== "f32") return [];
    const steps = t.shape.slice(0, leading).reduce((a, b) => a * b, 1);
    const width = t.size / steps;
    return Array.from({ length: width }, (_, k) => ({
      name: leaves(tree).length > 1 ? `feature ${k} of part ${part}` : `feature ${k}`,
      values: Float64Array.from({ length: steps }, (_, i) => t.data[i * width + k]),
    }));
  });
}

/** Whether every number of a tree of columns is constant over all steps, with bytes and integers. */
export function isConstant(tree: Tree, leading: number): boolean {
  return leaves(tree).every((t) => {
    const width = t.size / t.shape.slice(0, leading).reduce((a, b) => a * b, 1);
    return t.data.every((value, i) => value === t.data[i % width]);
  });
}

/** Pearson's correlation; 0 if either does not vary. */
export function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [x, y] = [spreadOf(a), spreadOf(b)];
  if (!(x.std > 1e-9 && y.std > 1e-9) || x.broken || y.broken) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - x.mean) * (b[i] - y.mean);
  return sum / a.length / (x.std * y.std);
}

/** The numbers of a column, if it is one. */
export function numbers(column: Tree | undefined): ArrayLike<number> | undefined {
  return column instanceof Tensor ? column.data : undefined;
}

/**
 * Position of a step in columns [time, rows]: `, step 1024 in copy 3, after action 1`. The action is that of the step itself, or with
 * "before" the previous one, which an episode's first step lacks. Empty if the order of steps is unknown.
 */
export function whereIn(
  { columns, steps }: { readonly columns?: Columns; readonly steps: number },
  at: number,
  which: "own" | "before",
): string {
  const { terminated, truncated, action } = columns ?? {};
  if (!(terminated instanceof Tensor && truncated instanceof Tensor) || terminated.rank !== 2) return "";
  const [time, rows] = terminated.shape;
  const step = steps - time * rows + Math.floor(at / rows) * rows;
  const from = which === "own" ? at : at - rows;
  const begins = from < 0 || (which === "before" && (terminated.data[from] || truncated.data[from]));
  const taken =
    action instanceof Tensor && !begins
      ? Array.from(action.data.subarray(...span(action, time * rows, from)))
      : [];
  const after = taken.length ? `, after action ${taken.map((x) => Number(x.toPrecision(3))).join(", ")}` : "";
  return `, step ${step} in copy ${at % rows}${after}`;
}

/** Range of the numbers of one of `steps` steps in a column. */
const span = (column: Tensor, steps: number, at: number): [number, number] => {
  const width = column.size / steps;
  return [at * width, (at + 1) * width];
};

/** Columns of a grid, [time, rows], that an advantage is computed from. */
export interface ValuedSteps {
  readonly reward: Tensor;
  readonly value: Tensor;
  readonly terminated: Tensor;
  readonly truncated: Tensor;
}

/**
 * Recomputed advantages (returns minus the critic's values) and their positions in the columns. Only steps whose
 * episode terminates within the grid are included: for others the future is unknown.
 */
export function surprises(
  { reward, value, terminated, truncated }: ValuedSteps,
  gamma: number,
  lambda: number,
): { readonly at: number[]; readonly values: number[] } {
  const [time, rows] = reward.shape;
  const [at, values]: [number[], number[]] = [[], []];
  for (let row = 0; row < rows; row++) {
    let [known, next, later] = [false, 0, 0];
    for (let i = (time - 1) * rows + row; i >= 0; i -= rows) {
      if (terminated.data[i]) [known, next, later] = [true, 0, 0];
      else if (truncated.data[i]) known = false;
      if (!known) continue;
      later = reward.data[i] + gamma * next - value.data[i] + gamma * lambda * later;
      next = value.data[i];
      at.push(i);
      values.push(later);
    }
  }
  return { at, values };
}
