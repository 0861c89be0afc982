import type { Node } from "../graph.ts";
import type { Operand } from "../kernel/kernel.ts";
import { collapse, Emitter, independently } from "./loops.ts";
import type { Lowered } from "./lowered-kernel.ts";
import { addressOf, type Strided } from "./strided-view.ts";

/** Writes `value(index)` to every element of `to`: a copy, or a constant. */
export function copyKernel(
  from: Strided | number,
  to: Strided,
  label: string,
  start?: { node: Node; stride: number; limit: number },
): Lowered {
  const e = new Emitter(new Set([to.base]));
  const b = e.builder;
  const target = addressOf(to);
  const source = typeof from === "number" ? undefined : addressOf(from);
  const order = to.shape.flatMap((d, i) => (d === 1 ? [] : [i]));
  const loops = collapse(to.shape, order, source ? [target, source] : [target]);
  const parallel = b.parallel();
  const outer = loops.length > 1 ? loops[0] : undefined;
  if (outer) e.variables.set(outer.dim, parallel);
  independently(e, outer ? loops.slice(1) : loops, true, () => {
    const v =
      typeof from === "number"
        ? b.constant(to.base.dtype === "u8" ? "i32" : to.base.dtype, from)
        : e.load(from.base, source!);
    b.store(
      e.param(to.base),
      e.index(target, start && { value: clampedStart(e, start), coefficient: start.stride }),
      v,
    );
  });
  return {
    kernel: b.kernel(parallel, label),
    args: e.args,
    extent: outer?.extent ?? 1,
    scratchBytes: e.scratchBytes,
  };
}

/** A run-time start, clamped to its range. */
export function clampedStart(e: Emitter, start: { node: Node; limit: number }): Operand {
  const b = e.builder;
  const raw = b.load(e.param(start.node), { constant: 0, terms: [] });
  return b.op("i32", "min", b.op("i32", "max", raw, b.constant("i32", 0)), b.constant("i32", start.limit));
}
