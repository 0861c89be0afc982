import type { Node } from "../graph.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Member } from "./members.ts";
import { isComputed } from "./operations.ts";

/** A kernel and its arguments: nodes, or offsets into the thread's scratch memory. */
export interface Lowered {
  readonly kernel: Kernel;
  readonly args: readonly (Node | { readonly scratch: number })[];
  readonly extent: number;
  readonly scratchBytes: number;
  /** The operation whose result it writes together with other kernels, each a part of its own. */
  readonly parts?: Node;
  /** The value of the kernel's `length`. */
  readonly length?: number;
  /** The same kernel with a length parameter, which serves every size. */
  readonly open?: () => Lowered;
}

/** A readable description of a group's kernel. */
export function labelOf(list: readonly Member[]): string {
  return list
    .map((m) => (isComputed(m.node) || m.reduces || m.table ? m.node.op : `copy(${m.node.op})`))
    .join(" ");
}
