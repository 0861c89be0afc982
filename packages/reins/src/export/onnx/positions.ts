import { type Dim, numberIn, type Op } from "../graph.ts";
import { unsupported } from "./refusal.ts";
import { beyond, reshaped, shapeOf, type WriteOperation } from "./shapes.ts";
import type { Writer } from "./writer.ts";

/** Clamps positions to an axis, as all indexing in Reins does. */
function inside(w: Writer, name: string, last: Dim, source: string): string {
  if (typeof last !== "number") return unsupported(source, "positions on an axis of rows");
  return w.add("Clip", [name, w.constant(0, "i32"), w.constant(last, "i32")]);
}

const minus = (d: Dim, n: number): Dim => (typeof d === "number" ? d - n : { n: d.n, plus: d.plus - n });

/** A position as an i64 vector of length 1, for Slice. */
function start(w: Writer, name: string, last: Dim): string {
  return reshaped(w, w.cast(inside(w, name, last, w.source), "i32", "i64"), [1]);
}

/** Reads and writes at computed positions. */
export const positions: { readonly [op in Op]?: WriteOperation } = {
  gather: (w, step) => {
    const [x, at] = step.inputs;
    const axis = numberIn(step, "axis");
    const indices = inside(w, w.at(at), minus(shapeOf(w, x)[axis], 1), w.source);
    return w.add("GatherElements", [w.at(x), indices], { axis });
  },
  scatter: (w, step) => {
    const [x, at, source] = step.inputs;
    const axis = numberIn(step, "axis");
    const indices = inside(w, w.at(at), minus(shapeOf(w, x)[axis], 1), w.source);
    return w.add("ScatterElements", [w.at(x), indices, w.at(source)], { axis });
  },
  scatterAdd: (w, step) => {
    const [at, source] = step.inputs;
    const axis = numberIn(step, "axis");
    const zero = w.add("Expand", [w.constant(0, step.dtype), w.vector(step.shape)]);
    const indices = inside(w, w.at(at), numberIn(step, "size") - 1, w.source);
    return w.add("ScatterElements", [zero, indices, w.at(source)], { axis, reduction: "add" });
  },
  dynamicSlice: (w, step) => {
    const [x, at] = step.inputs;
    const [axis, size] = [numberIn(step, "axis"), numberIn(step, "size")];
    const from = start(w, w.at(at), minus(shapeOf(w, x)[axis], size));
    const to = w.add("Add", [from, w.vector([size])]);
    return w.add("Slice", [w.at(x), from, to, w.vector([axis])]);
  },
  dynamicUpdate: (w, step) => {
    const [x, update, at] = step.inputs;
    const axis = numberIn(step, "axis");
    const size = shapeOf(w, update)[axis];
    if (typeof size !== "number") return unsupported(w.source, "updates of rows");
    const from = start(w, w.at(at), minus(shapeOf(w, x)[axis], size));
    const to = w.add("Add", [from, w.vector([size])]);
    const head = w.add("Slice", [w.at(x), w.vector([0]), from, w.vector([axis])]);
    const tail = w.add("Slice", [w.at(x), to, w.vector([beyond]), w.vector([axis])]);
    return w.add("Concat", [head, w.at(update), tail], { axis });
  },
};
