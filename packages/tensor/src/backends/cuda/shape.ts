import { type Kernel, laneCount, type Stmt, type Value } from "../../kernel/kernel.ts";
import { longestOf, onlyLoop, vectorLoops, widthOf } from "../grid/loops.ts";
import { accumulatorsOf, type For, tripCount } from "../native/analysis.ts";

/**
 * How the threads of a launch share a kernel:
 *
 * - `threads`: a thread per item. For bodies without vector loops; the only vector loop of a body is joined with the items.
 * - `spread`: the iterations of the body's only vector loop, whose bounds are known at run time, are shared by all threads of a row of blocks.
 * - `groups`: a group of `width` threads per item. All threads execute the scalar statements, the first one stores their results;
 *   vector loops are shared by the group. With accumulators a group has `laneCount` threads, one per lane,
 *   or more if their terms may be added in any order, or are computed by a whole block and added by its first threads (`staged`).
 */
export type Shape =
  | { readonly kind: "threads" }
  | { readonly kind: "spread"; readonly loop: For }
  | { readonly kind: "groups"; readonly width: number; readonly staged?: boolean };

/** A loop that is joined with the parallel variable. */
export interface Joined {
  readonly variable: Value;
  readonly extent: number;
}

/** A kernel whose items are the iterations of its parallel variable and of `joined` loops inside it, from the outside in. */
export interface Flat {
  readonly shape: Shape;
  readonly joined: readonly Joined[];
  /** The number of items per iteration of the parallel variable. */
  readonly inner: number;
  /** What each item executes. */
  readonly body: readonly Stmt[];
}

/** Threads of most blocks. */
export const blockSize = 256;

/** Threads of a block: a group that is larger than a warp has its own block, because only a whole block can wait for its threads. */
export const threadsOf = (shape: Shape): number =>
  shape.kind === "groups" && shape.width > 32 ? shape.width : blockSize;

/** Groups of a block; a thread alone is a group. */
export const groupsOf = (shape: Shape): number =>
  shape.kind === "groups" ? threadsOf(shape) / shape.width : threadsOf(shape);

/** Divides a kernel's work among threads. Groups with accumulators have up to `widest` threads. */
export function flatten(kernel: Kernel, widest = laneCount): Flat {
  const joined: Joined[] = [];
  const before: Stmt[] = [];
  let { body } = kernel;
  const enter = (loop: For, extent: number) => {
    joined.push({ variable: loop.variable, extent });
    before.push(...body.slice(0, -1));
    body = loop.body;
  };
  for (;;) {
    const loop = onlyLoop(body);
    if (!loop?.independent || typeof loop.extent !== "number" || loop.from) break;
    enter(loop, loop.extent);
  }
  const last = onlyLoop(body);
  const alone = last?.vector && !kernel.params.some((p) => p.scratch) && accumulatorsOf(body).size === 0;
  const trips = alone ? tripCount(last) : undefined;
  if (alone && trips !== undefined && !last.from) enter(last, trips);
  const shape: Shape = alone && trips === undefined ? { kind: "spread", loop: last } : shapeOf(body, widest);
  const inner = joined.reduce((n, { extent }) => n * extent, 1);
  return { shape, joined, inner, body: [...before, ...body] };
}

function shapeOf(body: readonly Stmt[], widest: number): Shape {
  const loops = vectorLoops(body);
  if (loops.length === 0) return { kind: "threads" };
  const most = accumulatorsOf(body).size > 0 ? widest : blockSize;
  const longest = longestOf(loops, blockSize);
  return { kind: "groups", width: widthOf(longest, most) };
}

/** The longest vector loop of a body; extents that are unknown count as a block. */
export const longestLoop = (body: readonly Stmt[]): number => longestOf(vectorLoops(body), blockSize);
