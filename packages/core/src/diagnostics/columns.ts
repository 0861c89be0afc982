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

/** Discounted rewards to come minus what the critic said, roughly: enough for a sign. */
export function surprise(reward: Tensor, value: Tensor, done: Tensor): Float64Array {
  const [time, rows] = reward.shape;
  const out = new Float64Array(reward.size);
  for (let i = 0; i < rows; i++) {
    let later = 0;
    for (let t = time - 1; t >= 0; t--) {
      const at = t * rows + i;
      const expected =
        t + 1 < time && !done.data[at] ? value.data[at + rows] : done.data[at] ? 0 : value.data[at];
      if (done.data[at] || t === time - 1) later = 0;
      const delta = reward.data[at] + 0.97 * expected - value.data[at];
      later = delta + 0.9 * later;
      out[at] = later;
    }
  }
  return out;
}
