import type { Numbers } from "./numbers.ts";

export function matmul(out: Numbers, a: Numbers, b: Numbers, m: number, k: number, n: number): void {
  out.fill(0);
  for (let i = 0; i * n < out.length; i++)
    for (let p = 0; p < k; p++) {
      const x = a[i * k + p];
      const row = (Math.floor(i / m) * k + p) * n;
      for (let j = 0; j < n; j++) out[i * n + j] += x * b[row + j];
    }
}

/** Sums of lines of `count` elements. */
export function sum(out: Numbers, x: Numbers, count: number): void {
  for (let i = 0; i < out.length; i++) {
    let total = 0;
    for (let j = 0; j < count; j++) total += x[i * count + j];
    out[i] = total;
  }
}

/** Products of lines. */
export function prod(out: Numbers, x: Numbers, count: number): void {
  for (let i = 0; i < out.length; i++) {
    let total = 1;
    for (let j = 0; j < count; j++) total *= x[i * count + j];
    out[i] = total;
  }
}

/** Maximum of each line. */
export function max(out: Numbers, x: Numbers, count: number): void {
  for (let i = 0; i < out.length; i++) {
    let most = x[i * count];
    for (let j = 1; j < count; j++) most = Math.max(most, x[i * count + j]);
    out[i] = most;
  }
}

/** Minimum of each line. */
export function min(out: Numbers, x: Numbers, count: number): void {
  for (let i = 0; i < out.length; i++) {
    let least = x[i * count];
    for (let j = 1; j < count; j++) least = Math.min(least, x[i * count + j]);
    out[i] = least;
  }
}

/** Index of the maximum of each line. */
export function argmax(out: Numbers, x: Numbers, count: number): void {
  for (let i = 0; i < out.length; i++) {
    let best = 0;
    for (let j = 1; j < count; j++) if (x[i * count + j] > x[i * count + best]) best = j;
    out[i] = best;
  }
}

/** Index of the minimum of each line. */
export function argmin(out: Numbers, x: Numbers, count: number): void {
  for (let i = 0; i < out.length; i++) {
    let best = 0;
    for (let j = 1; j < count; j++) if (x[i * count + j] < x[i * count + best]) best = j;
    out[i] = best;
  }
}

/** Sort order of each line, ascending (1) or descending (-1). */
export function argsort(out: Numbers, x: Numbers, count: number, sign: number): void {
  for (let start = 0; start < out.length; start += count) {
    const order = Array.from({ length: count }, (_, i) => i);
    order.sort((i, j) => sign * (x[start + i] - x[start + j]) || i - j);
    out.set(order, start);
  }
}

/** Running sums along each line. */
export function cumsum(out: Numbers, x: Numbers, count: number, reverse: boolean): void {
  for (let start = 0; start < out.length; start += count) {
    let total = 0;
    for (let i = 0; i < count; i++) {
      const at = start + (reverse ? count - 1 - i : i);
      total += x[at];
      out[at] = total;
    }
  }
}

/** Running products along each line. */
export function cumprod(out: Numbers, x: Numbers, count: number, reverse: boolean): void {
  for (let start = 0; start < out.length; start += count) {
    let total = 1;
    for (let i = 0; i < count; i++) {
      const at = start + (reverse ? count - 1 - i : i);
      total *= x[at];
      out[at] = total;
    }
  }
}
