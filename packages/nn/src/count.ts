import { leaves, type Tree } from "@reins/tensor";

/** How many numbers a tree of parameters holds. */
export function parameterCount(params: Tree): number {
  return leaves(params).reduce((n, t) => n + t.size, 0);
}
