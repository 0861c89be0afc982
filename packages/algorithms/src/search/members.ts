import { leaves, type Tensor, type Tree, treeMap, zeros } from "@reins/tensor";

/** All numbers of a tree in one vector. */
export function flatOf(tree: Tree): Float64Array {
  return Float64Array.from(leaves(tree).flatMap((t) => Array.from(t.data)));
}

/** Writes a vector into the tensors of a tree. */
export function unflatten(vector: Float64Array, into: Tree): void {
  let at = 0;
  for (const { data } of leaves(into)) {
    data.set(vector.subarray(at, at + data.length));
    at += data.length;
  }
}

/** A tree like this one for each row. */
export const rowsOf = (tree: Tree, rows: number): Tree =>
  treeMap((t: Tensor) => zeros([rows, ...t.shape], t.dtype), tree);

/** Writes a vector into one row of the tensors of such a tree. */
export function unflattenRow(vector: Float64Array, into: Tree, row: number): void {
  let at = 0;
  for (const { data, shape } of leaves(into)) {
    const size = data.length / shape[0];
    data.set(vector.subarray(at, at + size), row * size);
    at += size;
  }
}
