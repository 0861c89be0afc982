import { type DType, numberIn, numbersIn, type Op } from "../graph.ts";
import { positions } from "./positions.ts";
import type { WriteOperation } from "./shapes.ts";
import { views } from "./views.ts";

const reduce =
  (op: string): WriteOperation =>
  (w, step) => {
    const { dtype } = w.steps[step.inputs[0]];
    const axes = numbersIn(step, "axes");
    if (!axes.length) return w.at(step.inputs[0]);
    const wide: DType = dtype === "f32" ? "f32" : "i32";
    const x = w.cast(w.at(step.inputs[0]), dtype, wide);
    // In this opset, only ReduceSum takes its axes as a tensor.
    const made =
      op === "ReduceSum"
        ? w.add(op, [x, w.vector(axes)], { keepdims: 0 })
        : w.add(op, [x], { axes, keepdims: 0 });
    return w.cast(made, wide, dtype);
  };

const position =
  (op: string): WriteOperation =>
  (w, step) => {
    const { dtype } = w.steps[step.inputs[0]];
    const x = w.cast(w.at(step.inputs[0]), dtype, dtype === "f32" ? "f32" : "i32");
    return w.cast(w.add(op, [x], { axis: numberIn(step, "axis"), keepdims: 0 }), "i64", "i32");
  };

/** All supported operations except elementwise operations, loops and weights. */
export const operations: { readonly [op in Op]?: WriteOperation } = {
  ...views,
  ...positions,
  sum: reduce("ReduceSum"),
  prod: reduce("ReduceProd"),
  max: reduce("ReduceMax"),
  min: reduce("ReduceMin"),
  argmax: position("ArgMax"),
  argmin: position("ArgMin"),
  matmul: (w, { inputs }) =>
    w.add(
      "MatMul",
      inputs.map((n) => w.at(n)),
    ),
  cumsum: (w, step) =>
    w.add("CumSum", [w.at(step.inputs[0]), w.constant(numberIn(step, "axis"), "i64")], {
      reverse: Number(step.attributes.reverse === true),
    }),
  argsort: (w, step) => {
    const axis = numberIn(step, "axis");
    const [values, order] = [w.fresh(), w.fresh()];
    const count = w.vector([step.shape[axis]]);
    const largest = Number(step.attributes.descending === true);
    w.addTo("TopK", [w.at(step.inputs[0]), count], [values, order], { axis, largest, sorted: 1 });
    return w.cast(order, "i64", "i32");
  },
};
