import { flatten, trace } from "../compile/specialise.ts";
import { fail } from "../errors.ts";
import type { Node, ScanBody } from "../graph.ts";
import { needed } from "../reference/interpret.ts";
import type { Tensor } from "../tensor.ts";
import { mapTree, type Tree } from "../tree.ts";
import type { FunctionData, GraphData, LoopData, NodeData, TreeData } from "./data.ts";

/** A function as data, and the tensors that it captures, with their current values. */
export interface SerialisedFunction {
  readonly data: FunctionData;
  readonly constants: readonly Tensor[];
}

/**
 * Serialises a function for arguments of these shapes: `readFunction` restores it in another process or in a page, without
 * the source code. Captured tensors are returned separately, to be stored with it.
 */
export function serialiseFunction<A extends unknown[], R extends Tree>(
  fn: (...args: A) => R,
  ...args: A
): SerialisedFunction {
  const name = fn.name || "serialiseFunction";
  const { leaves } = flatten(name, args);
  const { graph, outputs, tree, captures } = trace(name, (list) => fn(...(list as A)), args, leaves, []);
  let [next, at] = [0, 0];
  return {
    data: {
      format: 1,
      arguments: mapTree(args, () => next++) as TreeData[],
      result: (mapTree(tree, () => at++) ?? null) as TreeData,
      graph: writeGraph(graph.inputs, needed(graph, outputs), outputs),
    },
    constants: captures,
  };
}

/** Nodes in order, the arguments first, even if unused: they have fixed positions. */
function writeGraph(inputs: readonly Node[], used: readonly Node[], outputs: readonly Node[]): GraphData {
  const all = [...inputs, ...used.filter((n) => n.op !== "input")];
  // Nodes that affect only gradients are replaced by their argument.
  const numbers = new Map<Node, number>();
  const nodes: NodeData[] = [];
  for (const node of all) {
    if (node.op === "custom" || node.op === "stopGradient" || node.op === "identity") {
      numbers.set(node, numbers.get(node.inputs[0])!);
      continue;
    }
    numbers.set(node, nodes.length);
    const from = node.inputs.map((n) => numbers.get(n)!);
    nodes.push([node.op, from, attributesOf(node), node.shape, node.dtype]);
  }
  return { nodes, outputs: outputs.map((n) => numbers.get(n)!) };
}

function attributesOf(node: Node): { readonly [name: string]: unknown } {
  if (node.op === "scan") return { body: writeLoop(node.attributes.body) };
  return Object.fromEntries(Object.entries(node.attributes).map(([k, v]) => [k, plain(node, k, v)]));
}

function writeLoop(body: ScanBody): LoopData {
  const { graph, carryIn, xIn, constIn, carryOut, yOut, length, reverse, counted } = body;
  const outputs = [...carryOut, ...yOut];
  return {
    ...writeGraph([...carryIn, ...xIn, ...constIn], needed(graph, outputs), outputs),
    carries: carryIn.length,
    elements: xIn.length,
    length,
    reverse,
    counted,
  };
}

/** Numbers that JSON cannot represent are written as text. */
function plain(node: Node, name: string, value: unknown): unknown {
  if (typeof value === "number")
    return Number.isFinite(value) && !Object.is(value, -0) ? value : textOf(value);
  if (typeof value === "function" || (typeof value === "object" && value && !Array.isArray(value)))
    fail("serialiseFunction", `${node.op} has ${name}, which cannot be serialised.`);
  return value;
}

const textOf = (x: number) => (Object.is(x, -0) ? "-0" : String(x));
