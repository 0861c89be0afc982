import { fail } from "../errors.ts";
import { currentGraph, type Graph } from "../graph.ts";
import { interpret } from "../reference/interpret.ts";
import { sameShape, show } from "../shape.ts";
import { Tensor } from "../tensor.ts";
import { replay } from "../transform/replay.ts";
import { isRecord, type Tree } from "../tree.ts";
import type { FunctionData, TreeData } from "./data.ts";
import { rebuildGraph } from "./rebuild.ts";

/** Options of reading a serialised function. */
export interface DeserialiseOptions {
  /** Its origin, for messages. */
  readonly source?: string;
}

/**
 * The function that `writeFunction` serialised. It works on concrete tensors, one operation at a time, and inside compiled functions
 * at their speed. The data may be untrusted: invalid data is refused, and nothing in it is run as code.
 */
export function deserialiseFunction(
  data: FunctionData,
  constants: readonly Tensor[] = [],
  { source = "readFunction" }: DeserialiseOptions = {},
): (...args: Tree[]) => Tree {
  if (data?.format !== 1)
    fail(source, `its format is ${data?.format}, but this version reads format 1. Update Reins.`);
  const { graph, nodes, outputs } = rebuildGraph(data.graph, source);
  const places = graph.inputs.length - constants.length;
  const given = countOf(data.arguments, source);
  if (given !== places)
    fail(
      source,
      `it has ${places} argument tensors but names ${given}. It is damaged, or constants are missing.`,
    );
  if (countOf(data.result, source) !== outputs.length)
    fail(source, "its results do not match their names. It is damaged.");
  constants.forEach((t, i) => void admit(graph, places + i, t, `constant ${i}`, source));
  const results = outputs.map((n) => nodes[n]);
  return (...args) => {
    const inputs: Tensor[] = [];
    data.arguments.forEach((form, i) => void collect(form, args[i], `argument ${i}`, inputs, source));
    inputs.forEach((t, i) => void admit(graph, i, t, `tensor ${i} of the arguments`, source));
    const all = [...inputs, ...constants];
    const values = currentGraph()
      ? replay(graph, results, all)
      : interpret(
          graph,
          results,
          all.map((t) => t.data),
        );
    return build(data.result, values);
  };
}

/** The tensors of an argument, at the paths in the data. */
function collect(form: TreeData, tree: unknown, path: string, into: Tensor[], source: string): void {
  if (form === null) return;
  if (typeof form === "number") {
    if (!(tree instanceof Tensor)) fail(source, `${path} must be a tensor.`);
    into[form] = tree;
  } else if (Array.isArray(form))
    form.forEach((f, i) => void collect(f, (tree as Tree[] | undefined)?.[i], `${path}.${i}`, into, source));
  else
    for (const [name, f] of Object.entries(form))
      collect(f, partOf(tree, name), `${path}.${name}`, into, source);
}

/** A part by its name. Names that count from 0 may also be list indices, which a file does not distinguish. */
function partOf(tree: unknown, name: string): unknown {
  if (isRecord(tree)) return tree[name];
  return Array.isArray(tree) ? tree[Number(name)] : undefined;
}

function build(form: TreeData, values: readonly Tensor[]): Tree {
  if (form === null) return null;
  if (typeof form === "number") return values[form];
  if (Array.isArray(form)) return form.map((f) => build(f, values));
  return Object.fromEntries(Object.entries(form).map(([name, f]) => [name, build(f, values)]));
}

/** The number of tensors in a form; they must be numbered from 0 in order. */
function countOf(form: TreeData | readonly TreeData[], source: string): number {
  let next = 0;
  const visit = (f: TreeData | readonly TreeData[]): void => {
    if (f === null) return;
    if (typeof f === "number") {
      if (f !== next++) fail(source, "its tensors are not numbered in order. It is damaged.");
    } else if (typeof f !== "object") fail(source, "its arguments or results are damaged.");
    else for (const inner of Object.values(f)) visit(inner as TreeData);
  };
  visit(form);
  return next;
}

function admit(graph: Graph, index: number, t: Tensor, what: string, source: string): void {
  const { shape, dtype } = graph.inputs[index];
  if (t.dtype !== dtype || !sameShape(t.shape, shape))
    fail(source, `${what} is ${t.dtype}${show(t.shape)}; expected ${dtype}${show(shape)}.`);
}
