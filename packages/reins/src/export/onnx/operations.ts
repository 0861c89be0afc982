import type { Dim, DType, Op, Step } from "../graph.ts";
import { dimsIn, numberIn, numbersIn, sameDim } from "../graph.ts";
import { lacking, type Writer } from "./writer.ts";

/** Writes one operation, and gives the name of its result. */
type Write = (w: Writer, step: Step) => string;

/** Beyond the end of every axis, and before its beginning. */
const [beyond, before] = [2 ** 31 - 1, -(2 ** 31) + 1];

const shapeOf = (w: Writer, step: number): readonly Dim[] => w.steps[step].shape;

/** A shape in which at most one extent is left to be found: what Reshape understands without a computation. */
function reshaped(w: Writer, name: string, shape: readonly Dim[]): string {
  const open = shape.filter((d) => typeof d !== "number").length;
  return w.add("Reshape", [
    name,
    w.vector(open === 1 ? shape.map((d) => (typeof d === "number" ? d : -1)) : shape),
  ]);
}

const reduce =
  (op: string): Write =>
  (w, step) => {
    const { dtype } = w.steps[step.inputs[0]];
    const wide: DType = dtype === "f32" ? "f32" : "i32";
    const x = w.cast(w.at(step.inputs[0]), dtype, wide);
    const axes = numbersIn(step, "axes");
    // Only sums are given their axes as a tensor in this version.
    const made =
      op === "ReduceSum"
        ? w.add(op, [x, w.vector(axes)], { keepdims: 0 })
        : w.add(op, [x], { axes, keepdims: 0 });
    return axes.length ? w.cast(made, wide, dtype) : w.at(step.inputs[0]);
  };

const position =
  (op: string): Write =>
  (w, step) => {
    const { dtype } = w.steps[step.inputs[0]];
    const x = w.cast(w.at(step.inputs[0]), dtype, dtype === "f32" ? "f32" : "i32");
    return w.cast(w.add(op, [x], { axis: numberIn(step, "axis"), keepdims: 0 }), "i64", "i32");
  };

/** Positions within an axis: those beyond it are its ends, as in all of Reins. */
function inside(w: Writer, name: string, last: Dim, source: string): string {
  if (typeof last !== "number") return lacking(source, "positions on an axis of rows");
  return w.add("Clip", [name, w.constant(0, "i32"), w.constant(last, "i32")]);
}

const minus = (d: Dim, n: number): Dim => (typeof d === "number" ? d - n : { n: d.n, plus: d.plus - n });

/** A position as a vector of one whole number, as Slice wants it. */
function start(w: Writer, name: string, last: Dim): string {
  return reshaped(w, w.cast(inside(w, name, last, w.source), "i32", "i64"), [1]);
}

/** Every operation but those on elements, loops, and what is no operation. Those that are not here ONNX lacks. */
export const operations: { readonly [op in Op]?: Write } = {
  constant: (w, step) => w.constant(numberIn(step, "value"), step.dtype),
  iota: (w, { attributes, shape }) => {
    const axis = Number(attributes.axis);
    const limit = w.cast(reshaped(w, w.vector([shape[axis]]), []), "i64", "i32");
    const range = w.add("Range", [w.constant(0, "i32"), limit, w.constant(1, "i32")]);
    const line = reshaped(
      w,
      range,
      shape.map((d, i) => (i === axis ? d : 1)),
    );
    return shape.length === 1 ? line : w.add("Expand", [line, w.vector(shape)]);
  },
  reshape: (w, { inputs: [x], shape }) => reshaped(w, w.at(x), shape),
  broadcast: (w, { inputs: [x], shape }) => {
    const own = shapeOf(w, x);
    return w.add("Expand", [w.at(x), w.vector(shape.map((d, i) => (sameDim(d, own[i]) ? 1 : d)))]);
  },
  permute: (w, step) => w.add("Transpose", [w.at(step.inputs[0])], { perm: numbersIn(step, "axes") }),
  slice: (w, step) => {
    const [x] = step.inputs;
    const own = shapeOf(w, x);
    const [begin, size, by] = [numbersIn(step, "begin"), dimsIn(step, "size"), numbersIn(step, "step")];
    const cut = own.flatMap((d, i) => (by[i] === 1 && sameDim(d, size[i]) ? [] : [i]));
    const ends = cut.map((i): Dim => {
      const count = size[i];
      if (typeof count !== "number") return by[i] > 0 ? beyond : before;
      const end = begin[i] + count * by[i];
      return end < 0 ? before : end;
    });
    const pick = (values: readonly number[]) => w.vector(cut.map((i) => values[i]));
    return w.add("Slice", [w.at(x), pick(begin), w.vector(ends), w.vector(cut), pick(by)]);
  },
  // Taking positions along an axis, for each window those of its elements.
  windows: (w, step) => {
    const axis = numberIn(step, "axis");
    const [stride, dilation] = [numberIn(step, "stride"), numberIn(step, "dilation")];
    const [count, size] = step.shape.slice(axis);
    if (typeof count !== "number" || typeof size !== "number")
      return lacking(w.source, "windows over an axis of rows");
    const at = Array.from({ length: count * size }, (_, i) =>
      BigInt(Math.floor(i / size) * stride + (i % size) * dilation),
    );
    const indices = w.keep(w.fresh(), "i64", [count, size], BigInt64Array.from(at));
    return w.add("Gather", [w.at(step.inputs[0]), indices], { axis });
  },
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
  concat: (w, step) =>
    w.add(
      "Concat",
      step.inputs.map((n) => w.at(n)),
      { axis: numberIn(step, "axis") },
    ),
  pad: (w, step) => {
    const [x] = step.inputs;
    const [own, low] = [shapeOf(w, x), numbersIn(step, "low")];
    const high = step.shape.map((d, i): Dim => {
      const inner = own[i];
      if (sameDim(d, inner)) return 0;
      if (typeof d === "number" && typeof inner === "number") return d - inner - low[i];
      return lacking(w.source, "padding of rows");
    });
    return w.add("Pad", [
      w.at(x),
      w.vector([...low, ...high]),
      w.constant(numberIn(step, "value"), step.dtype),
    ]);
  },
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
    if (typeof size !== "number") return lacking(w.source, "updates of rows");
    const from = start(w, w.at(at), minus(shapeOf(w, x)[axis], size));
    const to = w.add("Add", [from, w.vector([size])]);
    const head = w.add("Slice", [w.at(x), w.vector([0]), from, w.vector([axis])]);
    const tail = w.add("Slice", [w.at(x), to, w.vector([beyond]), w.vector([axis])]);
    return w.add("Concat", [head, w.at(update), tail], { axis });
  },
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
