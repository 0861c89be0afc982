import { apply } from "../apply.ts";
import type { Graph, Node, NodeOf, Op, Primitives } from "../graph.ts";
import { isElementwise } from "../math/elementwise.ts";
import { add, clamp, mul } from "../ops/arithmetic.ts";
import { gather, scatter } from "../ops/indexing.ts";
import { matmul } from "../ops/linear.ts";
import { broadcastTo, iota, permute, reshape } from "../ops/movement.ts";
import type { Elementwise, Reductions } from "../primitives.ts";
import { needed } from "../reference/interpret.ts";
import type { Tensor } from "../tensor.ts";
import { type BatchedReplay, batchedScan } from "./batched-scan.ts";
import { type Batched, widen } from "./batched-value.ts";
import { type CustomRule, ruleOf } from "./custom.ts";

type BatchRule<K extends Op> = (inputs: readonly Batched[], node: NodeOf<K>, count: number) => Tensor;

/** The custom gradient rule for all members, given which of its arguments they share. */
export type MapRule = (rule: CustomRule, shared: readonly boolean[]) => CustomRule;

/** Computes `outputs` of a graph for all members at once: each node by the rule that gives it a leading axis. */
export function batchedReplay(
  graph: Graph,
  outputs: readonly Node[],
  inputs: readonly Batched[],
  count: number,
  mapRule: MapRule,
): Batched[] {
  const replay: BatchedReplay = (...inner) => batchedReplay(...inner, count, mapRule);
  const values = new Map<number, Batched>();
  const loops = new Map<number, readonly Batched[]>();
  for (const node of needed(graph, outputs)) {
    const args = node.inputs.map((n) => values.get(n.id)!);
    if (node.op === "input") values.set(node.id, inputs[node.attributes.index]);
    else if (node.op === "element" && loops.has(node.inputs[0].id))
      values.set(node.id, loops.get(node.inputs[0].id)![node.attributes.index]);
    else if (!args.some((a) => a.batched))
      values.set(node.id, {
        tensor: apply(
          node.op,
          args.map((a) => a.tensor),
          node.attributes,
          node.shape,
          node.dtype,
        ),
        batched: false,
      });
    else if (node.op === "scan") loops.set(node.id, batchedScan(node.attributes.body, args, count, replay));
    else if (node.op === "custom")
      values.set(node.id, { tensor: batchedCustom(args, node, count, mapRule), batched: true });
    else if (node.op === "element") throw new Error("internal: a loop result is missing.");
    else if (isElementwise(node)) values.set(node.id, { tensor: together(args, node, count), batched: true });
    else values.set(node.id, { tensor: byRule(args, node, count), batched: true });
  }
  return outputs.map((n) => values.get(n.id)!);
}

/** The same value; its gradient is the sum over all members. */
function batchedCustom(
  [y, ...inputs]: readonly Batched[],
  node: NodeOf<"custom">,
  count: number,
  mapRule: MapRule,
): Tensor {
  const rule = mapRule(
    ruleOf(node),
    inputs.map((v) => !v.batched),
  );
  return apply(
    "custom",
    [widen(y, count).tensor, ...inputs.map((v) => v.tensor)],
    { rule },
    [count, ...node.shape],
    node.dtype,
  );
}

/** The operation with other attributes on the widened operands. */
function again<K extends Op>(
  inputs: readonly Batched[],
  node: NodeOf<K>,
  count: number,
  attributes: Primitives[K],
): Tensor {
  return apply(
    node.op,
    inputs.map((v) => widen(v, count).tensor),
    attributes,
    [count, ...node.shape],
    node.dtype,
  );
}

/** Elementwise operations, and those that work on the last axes only. */
function together<K extends Op>(inputs: readonly Batched[], node: NodeOf<K>, count: number): Tensor {
  return again(inputs, node, count, node.attributes);
}

/** Leaves have no arguments, so they never differ between members. */
const same = (): never => {
  throw new Error("internal: a leaf was batched.");
};

/** Operations along one or several axes: all axes shift by one. */
type Along = { [K in Op]: Primitives[K] extends { axis: number } ? K : never }[Op];
function alongAxis<K extends Along>(inputs: readonly Batched[], node: NodeOf<K>, count: number): Tensor {
  return again(inputs, node, count, { ...node.attributes, axis: node.attributes.axis + 1 });
}
const overAxes: BatchRule<keyof Reductions> = (inputs, node, count) =>
  again(inputs, node, count, { axes: node.attributes.axes.map((a) => a + 1) });

/** Gathers with per-member indices from a shared tensor: the members' indices are concatenated on the axis. */
function gatherShared(x: Tensor, indices: Tensor, axis: number): Tensor {
  const [count, ...rest] = indices.shape;
  const inward = [...rest.keys()].map((a) => a + 1);
  inward.splice(axis, 0, 0);
  const joined = rest.map((d, a) => (a === axis ? count * d : d));
  const picked = gather(x, reshape(permute(indices, inward), joined), axis);
  const apart = [...x.shape.slice(0, axis), count, rest[axis], ...x.shape.slice(axis + 1)];
  return permute(
    reshape(picked, apart),
    [axis, ...apart.keys()].filter((a, i) => i === 0 || a !== axis),
  );
}

/** Indices start, start + 1, … for each member's start, shaped [members, 1, …, size, …, 1]. */
function spans(start: Tensor, size: number, extent: number, axis: number, rank: number): Tensor {
  const first = reshape(clamp(start, 0, extent - size), [-1, 1]);
  const one = new Array<number>(rank).fill(1);
  one[axis] = size;
  return reshape(add(first, iota([size])), [start.shape[0], ...one]);
}

/** Operations that are neither elementwise nor handled by {@link batchedReplay} itself. */
type Ruled = Exclude<Op, keyof Elementwise | "input" | "element" | "scan" | "custom">;

const rules: { readonly [K in Ruled]: BatchRule<K> } = {
  constant: same,
  iota: same,
  identity: together,
  stopGradient: together,
  cholesky: together,
  triangularSolve: together,
  jacobi: together,
  attend: (inputs, node, count) => {
    const [q, k, v, lengths, rows] = inputs;
    if (!rows) return together(inputs, node, count);
    // Entries of keys and values by index: of all members, one after the other.
    const [all, entries] = [[k, v].map((t) => widen(t, count).tensor), k.tensor.shape[k.batched ? 1 : 0]];
    const joined = (t: Tensor) => reshape(t, [-1, ...t.shape.slice(2)]);
    const first = reshape(mul(iota([count]), entries), [count, 1]);
    const flat = add(clamp(widen(rows, count).tensor, 0, entries - 1), first);
    const [a, n] = [q, lengths].map((t) => joined(widen(t, count).tensor));
    const [keys, values] = all.map(joined);
    const shape = [count * node.shape[0], ...node.shape.slice(1)];
    const y = apply("attend", [a, keys, values, n, joined(flat)], node.attributes, shape, node.dtype);
    return reshape(y, [count, ...node.shape]);
  },
  flash: () => {
    throw new Error("internal: flash attention is not traced for members of a batch.");
  },
  fma: together,
  copy: together,
  reshape: ([x], node, count) => reshape(x.tensor, [count, ...node.shape]),
  broadcast: ([x], node, count) => broadcastTo(x.tensor, [count, ...node.shape]),
  permute: ([x], node) => permute(x.tensor, [0, ...node.attributes.axes.map((a) => a + 1)]),
  slice: (inputs, node, count) => {
    const { begin, size, step } = node.attributes;
    return again(inputs, node, count, { begin: [0, ...begin], size: [count, ...size], step: [1, ...step] });
  },
  pad: (inputs, node, count) =>
    again(inputs, node, count, {
      low: [0, ...node.attributes.low],
      value: node.attributes.value,
    }),
  concat: alongAxis,
  windows: alongAxis,
  overlapAdd: alongAxis,
  sum: overAxes,
  prod: overAxes,
  max: overAxes,
  min: overAxes,
  argmax: alongAxis,
  argmin: alongAxis,
  argsort: alongAxis,
  cumsum: alongAxis,
  cumprod: alongAxis,
  // Leading axes broadcast, and a shared right operand makes one tall product.
  matmul: ([a, b]) => matmul(a.tensor, b.tensor),
  gather: (inputs, node, count) => {
    const [x, i] = inputs;
    return x.batched
      ? alongAxis(inputs, node, count)
      : gatherShared(x.tensor, i.tensor, node.attributes.axis);
  },
  scatter: alongAxis,
  scatterAdd: alongAxis,
  dynamicSlice: ([x, start], node, count) => {
    const { axis, size } = node.attributes;
    if (!start.batched)
      return apply(
        "dynamicSlice",
        [x.tensor, start.tensor],
        { axis: axis + 1, size },
        [count, ...node.shape],
        node.dtype,
      );
    const extent = node.inputs[0].shape[axis];
    const indices = spans(start.tensor, size, extent, axis, node.shape.length);
    return x.batched ? gather(x.tensor, indices, axis + 1) : gatherShared(x.tensor, indices, axis);
  },
  dynamicUpdate: ([x, update, start], node, count) => {
    const { axis } = node.attributes;
    const [target, source] = [widen(x, count).tensor, widen(update, count).tensor];
    if (!start.batched)
      return apply(
        "dynamicUpdate",
        [target, source, start.tensor],
        { axis: axis + 1 },
        [count, ...node.shape],
        node.dtype,
      );
    return scatter(
      target,
      spans(start.tensor, node.inputs[1].shape[axis], node.shape[axis], axis, node.shape.length),
      source,
      axis + 1,
    );
  },
};

function byRule<K extends Ruled>(inputs: readonly Batched[], node: NodeOf<K>, count: number): Tensor {
  return rules[node.op](inputs, node, count);
}
