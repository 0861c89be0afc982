import { Tensor } from "./tensor.ts";

/** Tensors in nested plain objects and arrays: parameters, batches, results. */
export type Tree = Tensor | readonly Tree[] | { readonly [name: string]: Tree } | undefined | null;

/** Whether `x` is a plain object, whose entries are part of the tree. */
function isRecord(x: unknown): x is Record<string, unknown> {
  if (typeof x !== "object" || x === null) return false;
  const p = Object.getPrototypeOf(x);
  return p === Object.prototype || p === null;
}

/** Calls `f` for every leaf with its path; returns the same nesting with the results. Undefined and null stay. */
export function mapTree<R>(tree: unknown, f: (leaf: unknown, path: string) => R, path = ""): unknown {
  if (tree === undefined || tree === null) return tree;
  if (Array.isArray(tree)) return tree.map((t, i) => mapTree(t, f, path ? `${path}.${i}` : String(i)));
  if (isRecord(tree)) {
    const out: Record<string, unknown> = {};
    for (const name in tree) out[name] = mapTree(tree[name], f, path ? `${path}.${name}` : name);
    return out;
  }
  return f(tree, path);
}

/** All tensors of a tree, depth first. */
export function leaves(tree: Tree): Tensor[] {
  const out: Tensor[] = [];
  mapTree(tree, (leaf, path) => {
    if (!(leaf instanceof Tensor))
      throw new TypeError(`Expected a Tensor at ${path || "the root"}, but got ${typeof leaf}.`);
    out.push(leaf);
  });
  return out;
}

/** A tree of the same nesting with other tensors. */
export function rebuild<T extends Tree>(tree: T, tensors: readonly Tensor[]): T {
  let i = 0;
  return mapTree(tree, () => tensors[i++]) as T;
}

/** Applies `f` to the tensors at the same place of several trees. */
export function treeMap<T extends Tree>(f: (...tensors: Tensor[]) => Tensor, tree: T, ...others: Tree[]): T {
  const rest = others.map(leaves);
  let i = -1;
  return mapTree(tree, (leaf) => {
    i++;
    return f(leaf as Tensor, ...rest.map((r) => r[i]));
  }) as T;
}
