import { add, Tensor, type Tree, treeMap } from "@reins/tensor";
import { fail } from "../errors.ts";

type Trees = { readonly [name: string]: Tree };

/** A copy of a tree with its own memory, such as the first weights of a target network. */
export const copyOf = <T extends Tree>(tree: T): T => treeMap((t) => add(t, 0), tree);

/** Copies the numbers of a tree into the tensors of another of the same structure; allocates nothing. */
export function copyTree(into: Tree, from: Tree): void {
  if (into === from || into === undefined || into === null) return;
  if (into instanceof Tensor) into.data.set((from as Tensor).data);
  else if (Array.isArray(into))
    for (let i = 0; i < into.length; i++) copyTree(into[i], (from as readonly Tree[])[i]);
  else for (const name in into as Trees) copyTree((into as Trees)[name], (from as Trees)[name]);
}

/** Copies one row of every tensor of a tree into the same row of another; allocates nothing. */
export function copyRow(into: Tree, from: Tree, row: number): void {
  if (into === undefined || into === null) return;
  if (into instanceof Tensor) {
    const a = into.data;
    const b = (from as Tensor).data;
    const size = a.length / into.shape[0];
    for (let i = row * size; i < (row + 1) * size; i++) a[i] = b[i];
  } else if (Array.isArray(into))
    for (let i = 0; i < into.length; i++) copyRow(into[i], (from as readonly Tree[])[i], row);
  else for (const name in into as Trees) copyRow((into as Trees)[name], (from as Trees)[name], row);
}

/** How `tree` differs in structure from `like` (names, types, shapes); undefined if it does not. `name` is its name in messages. */
export function treeFault(like: Tree, tree: unknown, name: string): string | undefined {
  if (like === undefined || like === null) return;
  if (like instanceof Tensor) {
    if (!(tree instanceof Tensor))
      return `${name} is ${tree === null ? "null" : typeof tree}, but must be a tensor ${type(like)}.`;
    if (tree.dtype === like.dtype && sameShape(tree.shape, like.shape)) return;
    return `${name} is a tensor ${type(tree)}, but must be ${type(like)}.`;
  }
  if (typeof tree !== "object" || tree === null || tree instanceof Tensor)
    return `${name} is ${tree instanceof Tensor ? `a tensor ${type(tree)}` : String(tree)}, but must have the parts ${Object.keys(like).join(", ")}.`;
  for (const part in like as Trees) {
    const fault = treeFault((like as Trees)[part], (tree as Trees)[part], part);
    if (fault) return `${name}.${fault}`;
  }
  return;
}

/** Throws, with the name of an environment, unless `tree` has the structure of `like`. */
export function requireTree(id: string, like: Tree, tree: unknown, name: string): void {
  const fault = treeFault(like, tree, name);
  if (fault) fail(id, fault);
}

function sameShape(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function type(t: Tensor): string {
  return `${t.dtype}[${t.shape.join(", ")}]`;
}
