import type { DType } from "../dtype.ts";
import { fail } from "../errors.ts";
import { currentGraph, Graph, type Node, tracing } from "../graph.ts";
import { nodeIn, Tensor } from "../tensor.ts";
import { mapTree, type Tree } from "../tree.ts";

/** One argument tensor, and where it was found. */
export interface Leaf {
  readonly path: string;
  readonly value: Tensor | number | boolean;
}

/** All tensors and numbers of the arguments. The signature tells whether an earlier trace fits. */
export function flatten(name: string, args: readonly unknown[]): { leaves: Leaf[]; signature: string } {
  const list: Leaf[] = [];
  let signature = "";
  mapTree(args as Tree[], (leaf, path) => {
    if (leaf instanceof Tensor) signature += `${path}:${leaf.dtype}[${leaf.shape}];`;
    else if (typeof leaf === "number" || typeof leaf === "boolean") signature += `${path}:${typeof leaf};`;
    else fail(name, `argument ${path} is ${typeof leaf === "object" ? `a ${(leaf as object).constructor?.name}` : typeof leaf}; arguments are tensors, numbers, and objects and arrays of them.`);
    list.push({ path, value: leaf as Leaf["value"] });
  });
  return { leaves: list, signature };
}

/** A function traced for one signature. */
export interface Traced {
  readonly name: string;
  readonly graph: Graph;
  /** Nodes of the results, in order; several may be the same. */
  readonly outputs: readonly Node[];
  readonly outputPaths: readonly string[];
  /** The results' nesting, for rebuilding. */
  readonly tree: Tree;
  /** How many of the graph's inputs are arguments; the rest are captured tensors. */
  readonly arguments: number;
  readonly captures: readonly Tensor[];
  /** For each output: the argument whose memory it takes over, or -1. */
  readonly aliases: readonly number[];
  /** Arguments that are donated. */
  readonly donated: ReadonlySet<number>;
}

/** Records what `fn` does with arguments of the given shapes. */
export function trace(name: string, fn: (...args: never[]) => Tree, args: readonly unknown[], list: readonly Leaf[], donate: readonly number[], sites = false): Traced {
  const graph = new Graph(currentGraph(), sites);
  const inputs = list.map(({ value }) => {
    const [shape, dtype]: [readonly number[], DType] = value instanceof Tensor ? [value.shape, value.dtype] : [[], typeof value === "boolean" ? "bool" : "f32"];
    return graph.input(shape, dtype);
  });
  let k = 0;
  const symbolic = mapTree(args, () => new Tensor(inputs[k++])) as never[];
  const outputs: Node[] = [];
  const outputPaths: string[] = [];
  const tree = tracing(graph, () => {
    const result = fn(...symbolic);
    if (result instanceof Promise) fail(name, "the function is asynchronous. Traced functions are synchronous: await outside of them.");
    mapTree(result, (leaf, path) => {
      if (!(leaf instanceof Tensor)) fail(name, `result ${path || "of the function"} is ${typeof leaf}, not a Tensor.`);
      outputs.push(nodeIn(graph, leaf, name));
      outputPaths.push(path);
    });
    return result;
  });
  const donated = new Set(list.flatMap(({ path }, i) => (donate.includes(Number(path.split(".")[0])) ? [i] : [])));
  return {
    name,
    graph,
    outputs,
    outputPaths,
    tree,
    arguments: list.length,
    captures: graph.captures.map((c) => c.tensor as Tensor),
    aliases: matchDonations(graph, outputs, outputPaths, list, donated),
    donated,
  };
}

/** Pairs results with donated arguments of equal shape: those with the longest common end of their paths first. */
function matchDonations(graph: Graph, outputs: readonly Node[], paths: readonly string[], list: readonly Leaf[], donated: ReadonlySet<number>): number[] {
  const aliases = outputs.map(() => -1);
  const free = new Set(donated);
  const backwards = (path: string) => path.split(".").reverse();
  const ends = outputs.map((_, o) => backwards(paths[o]));
  const byShape = new Map<string, { i: number; end: string[] }[]>();
  const kind = (n: Node) => `${n.dtype}${n.shape}`;
  for (const i of donated) {
    const key = kind(graph.inputs[i]);
    byShape.set(key, [...(byShape.get(key) ?? []), { i, end: backwards(list[i].path) }]);
  }
  const common = (x: readonly string[], y: readonly string[]) => {
    let n = 0;
    while (n < x.length && n < y.length && x[n] === y[n]) n++;
    return n;
  };
  const pairs = outputs.flatMap((node, o) =>
    outputs.indexOf(node) === o ? (byShape.get(kind(node)) ?? []).map(({ i, end }) => ({ o, i, score: common(ends[o], end) })) : [],
  );
  pairs.sort((a, b) => b.score - a.score || a.o - b.o || a.i - b.i);
  for (const { o, i } of pairs) {
    if (aliases[o] >= 0 || !free.has(i)) continue;
    aliases[o] = i;
    free.delete(i);
  }
  return aliases;
}
