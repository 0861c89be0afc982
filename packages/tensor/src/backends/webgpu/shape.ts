import { type Kernel, laneCount } from "../../kernel/kernel.ts";
import { longestOf, onlyLoop, vectorLoops, widthOf } from "../grid/loops.ts";
import { accumulatorsOf, type For } from "../native/analysis.ts";

/**
 * How the invocations of a dispatch share a kernel:
 *
 * - `threads`: an invocation per iteration of the parallel variable. For bodies without vector loops.
 * - `spread`: the iterations of the body's only vector loop are shared by all workgroups of a row. Only where nothing follows the loop.
 * - `groups`: a group of `width` invocations per iteration of the parallel variable. All of them execute the scalar statements, the first one
 *   stores their results; vector loops are shared by the group. With accumulators a group has `laneCount` invocations, one per lane.
 */
export type Shape =
  | { readonly kind: "threads" }
  | { readonly kind: "spread"; readonly loop: For }
  | { readonly kind: "groups"; readonly width: number };

/** Invocations of most workgroups. */
export const usualSize = 64;

/** Maximum invocations of a workgroup: what every adapter offers. */
const largest = 256;

export function shapeOf(kernel: Kernel): Shape {
  const { body } = kernel;
  const loops = vectorLoops(body);
  if (loops.length === 0) return { kind: "threads" };
  if (accumulatorsOf(body).size > 0) return { kind: "groups", width: laneCount };
  const last = onlyLoop(body);
  if (last?.vector && !kernel.params.some((p) => p.scratch)) return { kind: "spread", loop: last };
  return { kind: "groups", width: widthOf(longestOf(loops, largest), largest) };
}
