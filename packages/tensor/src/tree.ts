import { fail } from "./errors.ts";
import { Tensor } from "./tensor.ts";

/** Tensors in nested plain objects and arrays: parameters, batches, results. */
export type Tree = Tensor | readonly Tree[] | { readonly [name: string]: Tree } | undefined | null;

/** Whether `x` is a plain object, whose entries are part of the tree. */
export function isRecord(x: unknown): x is Record<string, unknown> {
  if (typeof x !== "object" || x === null) return false;
  const p = Object.getPrototypeOf(x);
  return p === Object.prototype || p === null;
}

/** The path of an entry below another path. A dot in a name is escaped as ~1 and a tilde as ~0 (as in JSON Pointer), so that paths are unique. */
export function pathTo(path: string, name: string | number): string {
  const own =
    typeof name === "string" && (name.includes(".") || name.includes("~"))
      ? name.replaceAll("~", "~0").replaceAll(".", "~1")
      : name;
  return path ? `${path}.${own}` : String(own);
}

/** The names along a path. */
export function namesAlong(path: string): string[] {
  return path.split(".").map((name) => name.replaceAll("~1", ".").replaceAll("~0", "~"));
}

/** Calls `f` for every leaf with its path; returns the results in the same nesting. Undefined and null are kept. */
export function mapTree<R>(tree: unknown, f: (leaf: unknown, path: string) => R, path = ""): unknown {
  if (tree === undefined || tree === null) return tree;
  if (Array.isArray(tree)) return tree.map((t, i) => mapTree(t, f, pathTo(path, i)));
  if (isRecord(tree)) {
    const out: Record<string, unknown> = {};
    for (const name in tree) out[name] = mapTree(tree[name], f, pathTo(path, name));
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

/**
 * The tensors of a tree, in the order of `like`. Both must have the same structure: the same kinds of containers with
 * the same names, in any order. Undefined and null entries are ignored. `what` names the tree in messages.
 */
export function matchLeaves(like: Tree, tree: Tree, operation: string, what = "the other tree"): Tensor[] {
  const out: Tensor[] = [];
  const visit = (a: unknown, b: unknown, path: string): void => {
    if (!sameContainer(a, b))
      fail(
        operation,
        `${what} has another structure: ${path || "at its root"} is ${describe(b)}, expected ${describe(a)}.`,
      );
    if (Array.isArray(a)) a.forEach((x, i) => void visit(x, (b as unknown[])[i], pathTo(path, i)));
    else if (isRecord(a))
      for (const name of namesOf(a)) visit(a[name], (b as typeof a)[name], pathTo(path, name));
    else if (b instanceof Tensor) out.push(b);
  };
  visit(like, tree, "");
  return out;
}

/** Whether two trees have the same structure at their roots. */
function sameContainer(a: unknown, b: unknown): boolean {
  if (isNothing(a)) return isNothing(b);
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length;
  if (!isRecord(a)) return b instanceof Tensor;
  if (!isRecord(b)) return false;
  const names = namesOf(a);
  return names.length === namesOf(b).length && names.every((n) => Object.hasOwn(b, n) && !isNothing(b[n]));
}

const isNothing = (x: unknown) => x === undefined || x === null;

const namesOf = (x: Record<string, unknown>) => Object.keys(x).filter((n) => !isNothing(x[n]));

function describe(x: unknown): string {
  if (isNothing(x)) return "nothing";
  if (x instanceof Tensor) return "a tensor";
  if (Array.isArray(x)) return `a list of ${x.length}`;
  return isRecord(x) ? `an object {${namesOf(x).join(", ")}}` : `a ${typeof x}`;
}

/** A tree of the same nesting with other tensors. */
export function unflattenTree<T extends Tree>(tree: T, tensors: readonly Tensor[]): T {
  let i = 0;
  return mapTree(tree, () => tensors[i++]) as T;
}

/** Applies `f` to the corresponding tensors of several trees, which must have the same structure; see {@link matchLeaves}. */
export function treeMap<T extends Tree>(f: (...tensors: Tensor[]) => Tensor, tree: T, ...others: Tree[]): T {
  const rest = others.map((other) => matchLeaves(tree, other, "treeMap"));
  let i = -1;
  return mapTree(tree, (leaf) => {
    i++;
    return f(leaf as Tensor, ...rest.map((r) => r[i]));
  }) as T;
}
