import { type Dim, dimsIn, numberIn, numbersIn, type Op, sameDim } from "../graph.ts";
import { unsupported } from "./refusal.ts";
import { beyond, reshaped, shapeOf, type WriteOperation } from "./shapes.ts";

/** Before the beginning of every axis. */
const before = -(2 ** 31) + 1;

/** Constants, views, windows, padding and concatenation. */
export const views: { readonly [op in Op]?: WriteOperation } = {
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
  // Gathers the positions of each window.
  windows: (w, step) => {
    const axis = numberIn(step, "axis");
    const [stride, dilation] = [numberIn(step, "stride"), numberIn(step, "dilation")];
    const [count, size] = step.shape.slice(axis);
    if (typeof count !== "number" || typeof size !== "number")
      return unsupported(w.source, "windows over an axis of rows");
    const at = Array.from({ length: count * size }, (_, i) =>
      BigInt(Math.floor(i / size) * stride + (i % size) * dilation),
    );
    const indices = w.keep(w.fresh(), "i64", [count, size], BigInt64Array.from(at));
    return w.add("Gather", [w.at(step.inputs[0]), indices], { axis });
  },
  pad: (w, step) => {
    const [x] = step.inputs;
    const [own, low] = [shapeOf(w, x), numbersIn(step, "low")];
    const high = step.shape.map((d, i): Dim => {
      const inner = own[i];
      if (sameDim(d, inner)) return 0;
      if (typeof d === "number" && typeof inner === "number") return d - inner - low[i];
      return unsupported(w.source, "padding of rows");
    });
    return w.add("Pad", [
      w.at(x),
      w.vector([...low, ...high]),
      w.constant(numberIn(step, "value"), step.dtype),
    ]);
  },
  concat: (w, step) =>
    w.add(
      "Concat",
      step.inputs.map((n) => w.at(n)),
      { axis: numberIn(step, "axis") },
    ),
};
