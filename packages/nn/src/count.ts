import { leaves, type Tree } from "@reins/tensor";

/** The number of parameters in a tree. */
export function parameterCount(params: Tree): number {
  return leaves(params).reduce((n, t) => n + t.size, 0);
}
