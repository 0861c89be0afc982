import { numberIn, type Op, type Step } from "../graph.ts";
import type { Emitter } from "./emitter.ts";
import { inner, type WriteStep } from "./views.ts";

const indexed =
  (write: (e: Emitter, step: Step, at: number, axis: number) => void): WriteStep =>
  (e, step, at) =>
    write(e, step, at, numberIn(step, "axis"));

/** The clamped start of a slice of an axis, in elements. */
const begin = (e: Emitter, start: number, most: number, wide: number) =>
  `Math.min(${most}, Math.max(0, ${e.at(start)}[0])) * ${wide}`;

/** Concatenation, and reads and writes at computed positions. */
export const positions: { readonly [op in Op]?: WriteStep } = {
  concat: indexed((e, step, at, axis) => {
    const parts = step.inputs.map((n) => e.at(n));
    const [made, wide] = [e.make(at), inner(e.shape(at), axis)];
    const room = e.shape(at)[axis] * wide;
    step.inputs.reduce((to, n, i) => {
      const length = e.shape(n)[axis] * wide;
      e.call("piece", made, parts[i], room, to, length, 0, length);
      return to + length;
    }, 0);
  }),
  gather: indexed((e, step, at, axis) => {
    const [x, where] = step.inputs;
    const [from, positions] = [e.at(x), e.at(where)];
    const shape = e.shape(at);
    e.call("gather", e.make(at), from, positions, e.shape(x)[axis], shape[axis], inner(shape, axis));
  }),
  scatter: indexed((e, step, at, axis) => {
    const [x, where, source] = step.inputs.map((n) => e.at(n));
    const [size, count] = [e.shape(at)[axis], e.shape(step.inputs[1])[axis]];
    e.call("scatter", e.make(at), x, where, source, size, count, inner(e.shape(at), axis));
  }),
  scatterAdd: indexed((e, step, at, axis) => {
    const [where, source] = step.inputs.map((n) => e.at(n));
    const [size, count] = [e.shape(at)[axis], e.shape(step.inputs[0])[axis]];
    e.call("scatter", e.make(at), "null", where, source, size, count, inner(e.shape(at), axis));
  }),
  dynamicSlice: indexed((e, step, at, axis) => {
    const [x, start] = step.inputs;
    const [wide, size, full] = [inner(e.shape(at), axis), e.shape(at)[axis], e.shape(x)[axis]];
    const [from, first] = [e.at(x), begin(e, start, full - size, wide)];
    e.call("piece", e.make(at), from, size * wide, 0, full * wide, first, size * wide);
  }),
  dynamicUpdate: indexed((e, step, at, axis) => {
    const [x, update, start] = step.inputs;
    const [wide, size, full] = [inner(e.shape(at), axis), e.shape(update)[axis], e.shape(at)[axis]];
    const [from, piece, first] = [e.at(x), e.at(update), begin(e, start, full - size, wide)];
    const made = e.make(at);
    e.lines.push(`${made}.set(${from});`);
    e.call("piece", made, piece, full * wide, first, size * wide, 0, size * wide);
  }),
};
