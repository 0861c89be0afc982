import { numberIn, numbersIn, type Op, type Step, sizeOf } from "../graph.ts";
import { rowMajor } from "./emitter.ts";
import type { LoopName } from "./loops/index.ts";
import { permuted, type WriteStep } from "./views.ts";

/** The axes with some moved to the end, and the inverse permutation. */
const last = (rank: number, axes: readonly number[]) => [
  ...Array.from({ length: rank }, (_, i) => i).filter((i) => !axes.includes(i)),
  ...axes,
];

const reduce =
  (loop: LoopName): WriteStep =>
  (e, step, at) => {
    const [x] = step.inputs;
    const axes = step.attributes.axes === undefined ? [numberIn(step, "axis")] : numbersIn(step, "axes");
    const from = e.place(x);
    const lines = e.gathered(permuted(from, last(from.shape.length, axes)), e.steps[x].dtype);
    e.call(loop, e.make(at), lines, sizeOf(axes.map((a) => from.shape[a])));
  };

/** Operations along an axis, which is moved to the end and back. */
const along =
  (loop: LoopName, how: (step: Step) => number | boolean): WriteStep =>
  (e, step, at) => {
    const [x] = step.inputs;
    const from = e.place(x);
    const order = last(from.shape.length, [numberIn(step, "axis")]);
    const turned = permuted(from, order);
    const lines = e.gathered(turned, e.steps[x].dtype);
    const made = e.array(step.dtype, e.size(at));
    e.call(loop, made, lines, turned.shape[turned.shape.length - 1], how(step));
    const strides = rowMajor(turned.shape);
    e.set(at, made, { strides: order.map((_, axis) => strides[order.indexOf(axis)]) });
  };

/** Reductions, scans and sorts along axes. */
export const lines: { readonly [op in Op]?: WriteStep } = {
  sum: reduce("sum"),
  prod: reduce("prod"),
  max: reduce("max"),
  min: reduce("min"),
  argmax: reduce("argmax"),
  argmin: reduce("argmin"),
  argsort: along("argsort", ({ attributes }) => (attributes.descending ? -1 : 1)),
  cumsum: along("cumsum", ({ attributes }) => attributes.reverse === true),
  cumprod: along("cumprod", ({ attributes }) => attributes.reverse === true),
};
