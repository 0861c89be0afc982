import { fail } from "@reins/core";
import { numberIn, numbersIn, type Op, type Step, sizeOf } from "../graph.ts";
import { type Emitter, type Place, rowMajor } from "./emitter.ts";
import { castFormula, formulas } from "./formulas.ts";
import type { LoopName } from "./loops.ts";
import { scan } from "./scan.ts";

/** Writes one step: where its elements lie, or the lines that compute them. */
type Write = (e: Emitter, step: Step, at: number) => void;

/** A step that only looks at another one in a different order. */
const seen =
  (look: (from: Place, step: Step) => Partial<Place>): Write =>
  (e, step, at) => {
    const value = e.number(step.inputs[0]);
    if (value !== undefined) return e.setNumber(at, value);
    const from = e.place(step.inputs[0]);
    e.set(at, from.name, { base: from.base, room: from.room, ...look(from, step), shape: e.shape(at) });
  };

/** The axes with some of them moved to the end, and the places of each where they were. */
const last = (rank: number, axes: readonly number[]) => [
  ...Array.from({ length: rank }, (_, i) => i).filter((i) => !axes.includes(i)),
  ...axes,
];

const permuted = ({ shape, strides, ...place }: Place, axes: readonly number[]): Place => ({
  ...place,
  shape: axes.map((a) => shape[a]),
  strides: axes.map((a) => strides[a]),
});

const reduce =
  (loop: LoopName): Write =>
  (e, step, at) => {
    const [x] = step.inputs;
    const axes = step.attributes.axes === undefined ? [numberIn(step, "axis")] : numbersIn(step, "axes");
    const from = e.place(x);
    const lines = e.gathered(permuted(from, last(from.shape.length, axes)), e.steps[x].dtype);
    e.call(loop, e.make(at), lines, sizeOf(axes.map((a) => from.shape[a])));
  };

/** What runs along an axis: the axis is moved to the end, and back. */
const along =
  (loop: LoopName, how: (step: Step) => number | boolean): Write =>
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

/** Elements that lie beside each other at one position of an axis. */
const inner = (shape: readonly number[], axis: number) => sizeOf(shape.slice(axis + 1));

const indexed =
  (write: (e: Emitter, step: Step, at: number, axis: number) => void): Write =>
  (e, step, at) =>
    write(e, step, at, numberIn(step, "axis"));

/** The first position of a piece of an axis, within it, in elements. */
const begin = (e: Emitter, start: number, most: number, wide: number) =>
  `Math.min(${most}, Math.max(0, ${e.at(start)}[0])) * ${wide}`;

const operations: { readonly [op in Op]?: Write } = {
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
  matmul: (e, step, at) => {
    const [a, b] = step.inputs;
    const [m, k] = e.shape(a).slice(-2);
    const [x, y] = [e.at(a), e.at(b)];
    e.call("matmul", e.make(at), x, y, m, k, e.shape(b)[e.shape(b).length - 1]);
  },
  sum: reduce("sum"),
  prod: reduce("prod"),
  max: reduce("max"),
  min: reduce("min"),
  argmax: reduce("argmax"),
  argmin: reduce("argmin"),
  argsort: along("argsort", ({ attributes }) => (attributes.descending ? -1 : 1)),
  cumsum: along("cumsum", ({ attributes }) => attributes.reverse === true),
  cumprod: along("cumprod", ({ attributes }) => attributes.reverse === true),
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

/** Writes an operation on elements. */
function element(e: Emitter, step: Step, at: number): void {
  const types = step.inputs.map((n) => e.steps[n].dtype);
  const args = step.inputs.map((n) => {
    const value = e.number(n);
    if (value === undefined) return `${e.at(n)}[i]`;
    return value < 0 || Object.is(value, -0) ? `(${value})` : String(value);
  });
  const text =
    step.op === "cast"
      ? castFormula(args[0], types[0], step.dtype)
      : formulas[step.op](args, types[types.length - 1]);
  if (text.startsWith("erf(")) e.text.loops.add("erf");
  if (text.startsWith("even(")) e.text.loops.add("even");
  e.lines.push(`for (let i = 0; i < ${e.size(at)}; i++) ${e.make(at)}[i] = ${text};`);
}

/** Writes every step that was not given: what is made of weights and arguments. */
export function writeSteps(e: Emitter, given: (step: number) => boolean): void {
  e.steps.forEach((step, at) => {
    if (given(at)) return;
    if (step.op === "scan" || step.op === "element") return scan(e, step, at, writeSteps);
    const write = Object.hasOwn(operations, step.op)
      ? operations[step.op as keyof typeof operations]
      : undefined;
    if (write) write(e, step, at);
    else if (step.op === "cast" || Object.hasOwn(formulas, step.op)) element(e, step, at);
    else
      fail(
        e.source,
        `it computes with ${step.op}, for which exported modules have no loop. Keep the agent by agent.save(), which loadAgent reads in pages, too.`,
      );
  });
}
