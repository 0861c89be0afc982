import type { Numbers } from "./numbers.ts";

type Widths = readonly number[];

export function move(out: Numbers, x: Numbers, base: number, shape: Widths, strides: Widths): void {
  const index = shape.map(() => 0);
  for (let i = 0, at = base; i < out.length; i++) {
    out[i] = x[at];
    for (let a = shape.length - 1; a >= 0; a--) {
      at += strides[a];
      if (++index[a] < shape[a]) break;
      at -= strides[a] * shape[a];
      index[a] = 0;
    }
  }
}

export function place(
  out: Numbers,
  x: Numbers,
  base: number,
  shape: Widths,
  strides: Widths,
  value: number,
): void {
  out.fill(value);
  const index = shape.map(() => 0);
  for (let i = 0, at = base; i < x.length; i++) {
    out[at] = value === 0 ? out[at] + x[i] : x[i];
    for (let a = shape.length - 1; a >= 0; a--) {
      at += strides[a];
      if (++index[a] < shape[a]) break;
      at -= strides[a] * shape[a];
      index[a] = 0;
    }
  }
}

export function gather(
  out: Numbers,
  x: Numbers,
  at: Numbers,
  size: number,
  count: number,
  inner: number,
): void {
  for (let i = 0; i < out.length; i++) {
    const line = Math.floor(i / (count * inner));
    const position = Math.min(size - 1, Math.max(0, at[i]));
    out[i] = x[(line * size + position) * inner + (i % inner)];
  }
}

export function scatter(
  out: Numbers,
  x: Numbers | null,
  at: Numbers,
  from: Numbers,
  size: number,
  count: number,
  inner: number,
): void {
  if (x) out.set(x);
  else out.fill(0);
  for (let i = 0; i < from.length; i++) {
    const line = Math.floor(i / (count * inner));
    const position = Math.min(size - 1, Math.max(0, at[i]));
    const to = (line * size + position) * inner + (i % inner);
    out[to] = x ? from[i] : out[to] + from[i];
  }
}

export function piece(
  out: Numbers,
  x: Numbers,
  room: number,
  to: number,
  length: number,
  from: number,
  wide: number,
): void {
  for (let line = 0; line * room < out.length; line++)
    for (let i = 0; i < wide; i++) out[line * room + to + i] = x[line * length + from + i];
}
