import { leaves, Tensor, type Tree } from "@reins/tensor";

/** Mean and deviation of some numbers, NaN left out, and whether there was any NaN. */
export interface Spread {
  readonly mean: number;
  readonly std: number;
  readonly low: number;
  readonly high: number;
  readonly broken: boolean;
}

/** Describes numbers. */
export function spreadOf(values: ArrayLike<number>): Spread {
  let [n, sum, squares, low, high, broken] = [
    0,
    0,
    0,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    false,
  ];
  for (let i = 0; i < values.length; i++) {
    const v = values[i];
    if (!Number.isFinite(v)) {
      broken = true;
      continue;
    }
    n++;
    sum += v;
    squares += v * v;
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  const mean = n ? sum / n : Number.NaN;
  return { mean, std: Math.sqrt(Math.max(0, squares / n - mean * mean)), low, high, broken };
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

/** Columns of a grid, [time, rows], that an advantage is computed from. */
export interface ValuedSteps {
  readonly reward: Tensor;
  readonly value: Tensor;
  readonly terminated: Tensor;
  readonly truncated: Tensor;
}

/**
 * Advantages over again, by how much better steps turned out than the critic said, and where they lie in the columns. Only steps whose
 * episode terminates within the grid are among them: of others it is not known here what came next.
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
