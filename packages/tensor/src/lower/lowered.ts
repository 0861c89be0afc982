import type { Node } from "../graph.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Member } from "./members.ts";
import { isComputed } from "./operations.ts";

/** A kernel and what its parameters are: nodes, or offsets into the thread's scratch memory. */
export interface Lowered {
  readonly kernel: Kernel;
  readonly args: readonly (Node | { readonly scratch: number })[];
  readonly extent: number;
  readonly scratchBytes: number;
  /** What the kernel's `length` is here. */
  readonly length?: number;
  /** The same work by a kernel that leaves its length to the caller: it serves every size. */
  readonly open?: () => Lowered;
}

/** What a group's kernel does, for people. */
export function labelOf(list: readonly Member[]): string {
  return list
    .map((m) => (isComputed(m.node) || m.reduces || m.table ? m.node.op : `copy(${m.node.op})`))
    .join(" ");
}
