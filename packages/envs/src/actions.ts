import { type EnvSpec, fail } from "@reins/core";
import { Tensor, type Tree } from "@reins/tensor";

/** Checks one action per row without allocating; throws at the first action outside the space. */
export function actionCheck(spec: EnvSpec, rows: number): (action: Tree) => void {
  const { id, action: space } = spec;
  if (space.kind === "discrete") {
    const { n, start } = space;
    const last = start + n - 1;
    return (action) => {
      const data = read(action, "i32", rows, rows, spec) as Int32Array;
      // The sign of either difference shows a crossed bound; one test of all of them is enough.
      let sign = 0;
      for (let row = rows & ~3; row < rows; row++) sign |= (data[row] - start) | (last - data[row]);
      for (let row = 3; row < rows; row += 4) {
        const a = data[row - 3];
        const b = data[row - 2];
        const c = data[row - 1];
        const d = data[row];
        sign |= (a - start) | (b - start) | (c - start) | (d - start);
        sign |= (last - a) | (last - b) | (last - c) | (last - d);
      }
      if (sign >= 0) return;
      const row = data.findIndex((a) => a < start || a > last);
      fail(id, `action ${data[row]}${where(row, rows)} is outside Discrete(${n}). ${choices(n, start)}`);
    };
  }
  if (space.kind === "box") {
    const size = space.shape.reduce((a, b) => a * b, 1);
    return (action) => {
      const data = read(action, "f32", rows, rows * size, spec);
      for (let i = 0; i < data.length; i++)
        if (data[i] !== data[i])
          fail(
            id,
            `action NaN${where(Math.floor(i / size), rows)} is not a number. The policy's weights or inputs hold a NaN.`,
          );
    };
  }
  return () => {};
}

function read(action: Tree, dtype: string, rows: number, size: number, spec: EnvSpec) {
  if (!(action instanceof Tensor) || action.dtype !== dtype || action.size !== size) {
    const came = action instanceof Tensor ? `${action.dtype} [${action.shape}]` : typeof action;
    const shape = spec.action.kind === "box" ? [rows, ...spec.action.shape] : [rows];
    fail(spec.id, `actions must be a tensor ${dtype} [${shape}], one for each row; got ${came}.`);
  }
  return action.data;
}

function where(row: number, rows: number): string {
  return rows > 1 ? ` in row ${row}` : "";
}

function choices(n: number, start: number): string {
  const last = start + n - 1;
  if (n === 1) return `The only action is ${start}.`;
  return n === 2 ? `Actions are ${start} or ${last}.` : `Actions are ${start} to ${last}.`;
}
