/**
 * Objects that move along their rows, in columns: each environment row has a list of at most `most`, oldest first.
 * They move to the right or to the left, and some wait between two moves (`wait`) or between two shots (`reload`).
 */
export interface Swimmers {
  readonly most: number;
  readonly count: Int32Array;
  readonly x: Int8Array;
  readonly y: Int8Array;
  readonly rightward: Uint8Array;
  readonly wait: Int8Array;
  readonly reload: Int8Array;
}

/** Empty lists. */
export function swimmers(rows: number, most: number): Swimmers {
  const column = () => new Int8Array(rows * most);
  return {
    most,
    count: new Int32Array(rows),
    x: column(),
    y: column(),
    rightward: new Uint8Array(rows * most),
    wait: column(),
    reload: column(),
  };
}

/** Appends one to a row's list. */
export function enter(
  list: Swimmers,
  row: number,
  x: number,
  y: number,
  rightward: number,
  wait: number,
  reload: number,
): void {
  if (list.count[row] === list.most) return;
  const i = row * list.most + list.count[row]++;
  list.x[i] = x;
  list.y[i] = y;
  list.rightward[i] = rightward;
  list.wait[i] = wait;
  list.reload[i] = reload;
}

/** Removes the one at `i`; later ones move up. */
export function leave(list: Swimmers, row: number, i: number): void {
  const { x, y, rightward, wait, reload } = list;
  const last = row * list.most + --list.count[row];
  for (let j = i; j < last; j++) {
    x[j] = x[j + 1];
    y[j] = y[j + 1];
    rightward[j] = rightward[j + 1];
    wait[j] = wait[j + 1];
    reload[j] = reload[j + 1];
  }
}

/** The first one in a cell, or -1. */
export function firstAt(list: Swimmers, row: number, x: number, y: number): number {
  const start = row * list.most;
  for (let i = start; i < start + list.count[row]; i++) if (list.x[i] === x && list.y[i] === y) return i;
  return -1;
}

/** Moves one by a cell; false if it has left the screen. */
export function swim(list: Swimmers, i: number): boolean {
  list.x[i] += list.rightward[i] ? 1 : -1;
  return list.x[i] >= 0 && list.x[i] <= 9;
}
