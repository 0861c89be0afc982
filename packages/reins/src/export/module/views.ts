import { numberIn, numbersIn, type Op, type Step, sizeOf } from "../graph.ts";
import { type Emitter, type Place, rowMajor } from "./emitter.ts";

/** Writes one step: its location, or the code that computes it. */
export type WriteStep = (e: Emitter, step: Step, at: number) => void;

/** A step that is a view of another one. */
const seen =
  (look: (from: Place, step: Step) => Partial<Place>): WriteStep =>
  (e, step, at) => {
    const value = e.number(step.inputs[0]);
    if (value !== undefined) return e.setNumber(at, value);
    const from = e.place(step.inputs[0]);
    e.set(at, from.name, { base: from.base, room: from.room, ...look(from, step), shape: e.shape(at) });
  };

/** Permutes the axes of a location. */
export const permuted = ({ shape, strides, ...place }: Place, axes: readonly number[]): Place => ({
  ...place,
  shape: axes.map((a) => shape[a]),
  strides: axes.map((a) => strides[a]),
});

/** Number of elements at one position of an axis. */
export const inner = (shape: readonly number[], axis: number) => sizeOf(shape.slice(axis + 1));

/** Constants, views, windows and padding. */
export const views: { readonly [op in Op]?: WriteStep } = {
  constant: (e, step, at) => e.setNumber(at, numberIn(step, "value")),
  iota: (e, step, at) => {
    const shape = e.shape(at);
    const axis = numberIn(step, "axis");
    const [made, wide] = [e.make(at), inner(shape, axis)];
    e.lines.push(
      `for (let i = 0; i < ${e.size(at)}; i++) ${made}[i] = Math.floor(i / ${wide}) % ${shape[axis]};`,
    );
  },
  reshape: (e, step, at) => {
    const value = e.number(step.inputs[0]);
    if (value !== undefined) return e.setNumber(at, value);
    e.set(at, e.at(step.inputs[0]));
  },
  broadcast: seen(({ shape, strides }) => ({ strides: strides.map((s, i) => (shape[i] === 1 ? 0 : s)) })),
  permute: seen((from, step) => permuted(from, numbersIn(step, "axes"))),
  slice: seen(({ base, strides }, step) => ({
    base: numbersIn(step, "begin").reduce((sum, b, i) => sum + b * strides[i], base),
    strides: numbersIn(step, "step").map((by, i) => by * strides[i]),
  })),
  windows: seen(({ strides }, step) => {
    const [axis, stride, dilation] = ["axis", "stride", "dilation"].map((name) => numberIn(step, name));
    const own = strides[axis];
    return {
      strides: [...strides.slice(0, axis), own * stride, own * dilation, ...strides.slice(axis + 1)],
    };
  }),
  overlapAdd: (e, step, at) => {
    const [axis, stride, dilation] = ["axis", "stride", "dilation"].map((name) => numberIn(step, name));
    const out = rowMajor(e.shape(at));
    const strides = [...out.slice(0, axis), out[axis] * stride, out[axis] * dilation, ...out.slice(axis + 1)];
    const [x] = step.inputs;
    e.call("place", e.make(at), e.at(x), 0, e.shape(x), strides, 0);
  },
  pad: (e, step, at) => {
    const [x] = step.inputs;
    const strides = rowMajor(e.shape(at));
    const base = numbersIn(step, "low").reduce((sum, n, i) => sum + n * strides[i], 0);
    e.call("place", e.make(at), e.at(x), base, e.shape(x), strides, numberIn(step, "value"));
  },
};
