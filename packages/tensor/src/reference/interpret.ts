import { type TypedArray, typedArray } from "../dtype.ts";
import { fail } from "../errors.ts";
import type { Graph, Node, ScanBody } from "../graph.ts";
import { type Shape, show, sizeOf } from "../shape.ts";
import { Storage, Tensor } from "../tensor.ts";
import { evaluate } from "./evaluate.ts";

/** The nodes that `outputs` need, in order. */
export function needed(graph: Graph, outputs: readonly Node[]): Node[] {
  const marks = new Uint8Array(graph.nodes.length);
  for (const n of outputs) marks[n.id] = 1;
  for (let i = graph.nodes.length - 1; i >= 0; i--)
    if (marks[i]) for (const n of graph.nodes[i].inputs) marks[n.id] = 1;
  return graph.nodes.filter((n) => marks[n.id]);
}

/** Computes `outputs` from the values of the graph's inputs, one node at a time. `check` stops at the first NaN, Inf or bad index. */
export function interpret(
  graph: Graph,
  outputs: readonly Node[],
  inputs: readonly TypedArray[],
  check = false,
): Tensor[] {
  const values = run(graph, outputs, inputs, check);
  return outputs.map((n) => new Tensor(new Storage(n.dtype, values[n.id].slice()), n.shape));
}

function run(
  graph: Graph,
  outputs: readonly Node[],
  inputs: readonly TypedArray[],
  check: boolean,
): TypedArray[] {
  const values: TypedArray[] = [];
  const tuples = new Map<number, TypedArray[]>();
  for (const node of needed(graph, outputs)) {
    if (node.op === "input") values[node.id] = inputs[node.attributes.index];
    else if (node.op === "scan")
      tuples.set(
        node.id,
        runScan(
          node.attributes.body,
          node.inputs.map((n) => values[n.id]),
          check,
        ),
      );
    else if (node.op === "element") values[node.id] = tuples.get(node.inputs[0].id)![node.attributes.index];
    else {
      const operands = node.inputs.map((n) => ({ data: values[n.id], shape: n.shape, dtype: n.dtype }));
      if (check) checkIndices(node, operands);
      const out = evaluate(node.op, operands, node.attributes, node.shape, node.dtype);
      if (check)
        checkValues(
          node,
          operands.map((x) => x.data),
          out,
        );
      values[node.id] = out;
    }
  }
  return values;
}

/** Runs a loop; the results are final carries, stacked results, and the initial carry of each iteration. */
function runScan(body: ScanBody, inputs: readonly TypedArray[], check: boolean): TypedArray[] {
  const { carryIn, xIn, constIn, carryOut, yOut, length, reverse } = body;
  const nc = carryIn.length;
  let carry = inputs.slice(0, nc);
  const xs = inputs.slice(nc, nc + xIn.length);
  const constants = inputs.slice(nc + xIn.length, nc + xIn.length + constIn.length);
  const count = body.counted ? Math.max(0, Math.min(length, inputs[inputs.length - 1][0])) : length;
  const stacked = (n: { shape: Shape; dtype: Node["dtype"] }) =>
    typedArray(n.dtype, length * sizeOf(n.shape));
  const ys = yOut.map(stacked);
  const starts = carryIn.map(stacked);
  for (let i = 0; i < count; i++) {
    const t = reverse ? count - 1 - i : i;
    const at = (a: TypedArray, n: Node) => a.subarray(t * sizeOf(n.shape), (t + 1) * sizeOf(n.shape));
    carry.forEach((c, k) => starts[k].set(c, t * sizeOf(carryIn[k].shape)));
    const args = [...carry, ...xs.map((x, k) => at(x, xIn[k])), ...constants];
    const values = run(body.graph, [...carryOut, ...yOut], args, check);
    yOut.forEach((n, k) => ys[k].set(values[n.id], t * sizeOf(n.shape)));
    carry = carryOut.map((n) => values[n.id].slice());
  }
  return [...carry, ...ys, ...starts];
}

/** The operand of an operation that holds indices, and their limit; undefined if there is none. */
function indexed(node: Node): { indices: number; limit: number; axis: number } | undefined {
  const [x, y] = node.inputs;
  switch (node.op) {
    case "gather":
    case "scatter": {
      const { axis } = node.attributes;
      return { indices: 1, limit: x.shape[axis], axis };
    }
    case "scatterAdd": {
      const { axis, size } = node.attributes;
      return { indices: 0, limit: size, axis };
    }
    case "dynamicSlice": {
      const { axis, size } = node.attributes;
      return { indices: 1, limit: x.shape[axis] - size + 1, axis };
    }
    case "dynamicUpdate": {
      const { axis } = node.attributes;
      return { indices: 2, limit: x.shape[axis] - y.shape[axis] + 1, axis };
    }
    default:
      return undefined;
  }
}

function checkIndices(node: Node, operands: readonly { data: TypedArray; shape: Shape }[]): void {
  const found = indexed(node);
  if (!found) return;
  const { indices, limit, axis } = found;
  const bad = operands[indices].data.find((i) => i < 0 || i >= limit);
  if (bad !== undefined)
    fail(
      node.op,
      `index ${bad} is out of range: axis ${axis} of ${operands.map((x) => show(x.shape)).join(", ")} has indices 0 to ${limit - 1}.`,
      node.site,
    );
}

function checkValues(node: Node, inputs: readonly TypedArray[], out: TypedArray): void {
  if (node.dtype !== "f32" || node.op === "constant" || (out as Float32Array).every(Number.isFinite)) return;
  // Only the operation that made it: an invalid input has another origin.
  if (inputs.some((x, i) => node.inputs[i].dtype === "f32" && !(x as Float32Array).every(Number.isFinite)))
    return;
  const at = (out as Float32Array).findIndex((v) => !Number.isFinite(v));
  const from = node.inputs.map((n) => `${n.dtype}${show(n.shape)}`).join(", ");
  const arguments_ = inputs.map((x) => (x.length === out.length ? String(x[at]) : "…")).join(", ");
  fail(
    node.op,
    `produced ${out[at]} at element ${at} of ${show(node.shape)} from (${from}) with values (${arguments_}).`,
    node.site,
  );
}
