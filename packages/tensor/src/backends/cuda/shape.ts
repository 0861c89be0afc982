import { type Kernel, laneCount, type Stmt } from "../../kernel/kernel.ts";
import { accumulatorsOf, type For } from "../native/analysis.ts";

/**
 * How the threads of a launch share a kernel:
 *
 * - `threads`: a thread per iteration of the parallel variable. For bodies without vector loops.
 * - `spread`: the iterations of the body's only vector loop are shared by all threads of a row of blocks. Only where nothing follows the loop.
 * - `groups`: a group of `width` threads per iteration of the parallel variable. All threads execute the scalar statements, the first one
 *   stores their results; vector loops are shared by the group. With accumulators a group has `laneCount` threads, one per lane.
 */
export type Shape =
  | { readonly kind: "threads" }
  | { readonly kind: "spread"; readonly loop: For }
  | { readonly kind: "groups"; readonly width: number };

/** Threads of most blocks. */
export const blockSize = 256;

/** Threads of a block: a group that is larger than a warp has its own block, because only a whole block can wait for its threads. */
export const threadsOf = (shape: Shape): number =>
  shape.kind === "groups" && shape.width > 32 ? shape.width : blockSize;

/** Groups of a block; a thread alone is a group. */
export const groupsOf = (shape: Shape): number =>
  shape.kind === "groups" ? threadsOf(shape) / shape.width : threadsOf(shape);

export function shapeOf(kernel: Kernel): Shape {
  const { body } = kernel;
  const loops = vectorLoops(body);
  if (loops.length === 0) return { kind: "threads" };
  if (accumulatorsOf(body).size > 0) return { kind: "groups", width: laneCount };
  const last = body[body.length - 1];
  const plain = body.slice(0, -1).every((s) => s.kind === "let" || s.kind === "load");
  if (plain && last.kind === "for" && last.vector && !kernel.params.some((p) => p.scratch))
    return { kind: "spread", loop: last };
  const longest = Math.max(...loops.map((l) => (typeof l.extent === "number" ? l.extent : blockSize)));
  let width = laneCount;
  while (width < longest && width < blockSize) width *= 2;
  return { kind: "groups", width };
}

function vectorLoops(list: readonly Stmt[]): For[] {
  return list.flatMap((s) => {
    if (s.kind === "for") return s.vector ? [s] : vectorLoops(s.body);
    if (s.kind === "while") return [...vectorLoops(s.test), ...vectorLoops(s.body)];
    if (s.kind === "if") return [...vectorLoops(s.then), ...vectorLoops(s.else ?? [])];
    return [];
  });
}
