import type { DType } from "../dtype.ts";
import { fail } from "../errors.ts";
import { currentGraph, Graph, type GraphOptions, type Node, tracing } from "../graph.ts";
import { nodeIn, Tensor } from "../tensor.ts";
import { isRecord, mapTree, pathTo, type Tree } from "../tree.ts";

/** One argument tensor and its path. */
export interface Leaf {
  readonly path: string;
  readonly value: Tensor | number | boolean;
}

/**
 * All tensors and numbers of the arguments. The signature decides whether an earlier trace fits: types, shapes and the structure of
 * the trees, which a function may inspect. Names are prefixed with their lengths, so that a name cannot be confused with structure.
 */
export function flatten(name: string, args: readonly unknown[]): { leaves: Leaf[]; signature: string } {
  const leaves: Leaf[] = [];
  let signature = "";
  const visit = (x: unknown, path: string): void => {
    if (x instanceof Tensor) signature += `${x.dtype}${x.shape};`;
    else if (typeof x === "number" || typeof x === "boolean") signature += `${typeof x};`;
    else if (x === undefined || x === null) {
      signature += `${x};`;
      return;
    } else if (Array.isArray(x)) {
      signature += "[";
      for (let i = 0; i < x.length; i++) visit(x[i], pathTo(path, i));
      signature += "]";
      return;
    } else if (isRecord(x)) {
      signature += "{";
      for (const key in x) {
        signature += `${key.length}:${key}`;
        visit(x[key], pathTo(path, key));
      }
      signature += "}";
      return;
    } else
      fail(
        name,
        `argument ${path} is ${typeof x === "object" ? `a ${x.constructor?.name}` : typeof x}; arguments are tensors, numbers, and objects and arrays of them.`,
      );
    leaves.push({ path, value: x });
  };
  for (let i = 0; i < args.length; i++) visit(args[i], String(i));
  return { leaves, signature };
}

/** A function traced for one signature. */
export interface Traced {
  readonly name: string;
  readonly graph: Graph;
  /** Nodes of the results, in order; several may be the same. */
  readonly outputs: readonly Node[];
  readonly outputPaths: readonly string[];
  /** The nesting of the results, for rebuilding them. */
  readonly tree: Tree;
  readonly captures: readonly Tensor[];
  /** For each output: the argument whose memory it takes over, or -1. */
  readonly aliases: readonly number[];
  /** Arguments that are donated. */
  readonly donated: ReadonlySet<number>;
}

/** Traces `fn`, which takes its arguments as one list, for arguments of the given shapes. */
export function trace(
  name: string,
  fn: (args: unknown) => Tree,
  args: readonly unknown[],
  list: readonly Leaf[],
  donate: readonly number[],
  { fast = false, ...options }: Partial<GraphOptions> & { readonly fast?: boolean } = {},
): Traced {
  const graph = new Graph(currentGraph(), options);
  graph.fast = fast;
  const inputs = list.map(({ value }) => {
    const [shape, dtype]: [readonly number[], DType] =
      value instanceof Tensor
        ? [value.shape, value.dtype]
        : [[], typeof value === "boolean" ? "bool" : "f32"];
    return graph.input(shape, dtype);
  });
  let k = 0;
  const symbolic = mapTree(args, () => new Tensor(inputs[k++]));
  const outputs: Node[] = [];
  const outputPaths: string[] = [];
  const tree = tracing(graph, () => {
    const result = fn(symbolic);
    if (result instanceof Promise)
      fail(name, "the function is asynchronous. Traced functions are synchronous: await outside of them.");
    mapTree(result, (leaf, path) => {
      if (!(leaf instanceof Tensor))
        fail(name, `result ${path || "of the function"} is ${typeof leaf}, not a Tensor.`);
      outputs.push(nodeIn(graph, leaf, name));
      outputPaths.push(path);
    });
    return result;
  });
  const donated = new Set(
    list.flatMap(({ path }, i) => (donate.includes(Number(path.split(".")[0])) ? [i] : [])),
  );
  return {
    name,
    graph,
    outputs,
    outputPaths,
    tree,
    captures: graph.captures.map((c) => c.tensor as Tensor),
    aliases: matchDonations(graph, outputs, outputPaths, list, donated),
    donated,
  };
}

/**
 * Finds the results that take over the memory of donated arguments. A donated argument becomes the first part of the result with
 * the same structure (names, shapes and types). Where several arguments have one structure, such as parameters and their moments,
 * each takes the part whose values are nearest in the graph: `p - rate · m` is the next p, not the next m.
 */
function matchDonations(
  graph: Graph,
  outputs: readonly Node[],
  paths: readonly string[],
  list: readonly Leaf[],
  donated: ReadonlySet<number>,
): number[] {
  const aliases = outputs.map(() => -1);
  const kind = (n: Node) => `${n.dtype}${n.shape}`;
  const at = new Map(paths.map((path, o) => [path, o]));
  /** Arguments by structure: names within the argument, shapes and types. */
  const alike = new Map<string, { names: string[]; arguments: number[][] }>();
  for (const leaves of byArgument(list, donated)) {
    const names = leaves.map((i) => list[i].path.split(".").slice(1).join("."));
    const key = leaves.map((i, k) => `${names[k]}:${kind(graph.inputs[i])}`).join();
    alike.set(key, { names, arguments: [...(alike.get(key)?.arguments ?? []), leaves] });
  }
  const places = prefixes(paths);
  for (const { names, arguments: group } of alike.values()) {
    const kinds = group[0].map((i) => kind(graph.inputs[i]));
    const found: { outs: number[]; extra: number }[] = [];
    for (const [prefix, leaves] of places) {
      // A node with fewer leaves cannot match, and most others differ in the first leaf.
      if (leaves < names.length) continue;
      const outs: number[] = [];
      for (const name of names) {
        const o = at.get(prefix && name ? `${prefix}.${name}` : prefix || name) ?? -1;
        if (o < 0 || aliases[o] >= 0 || kind(outputs[o]) !== kinds[outs.length]) break;
        outs.push(o);
      }
      if (outs.length === names.length) found.push({ outs, extra: leaves - outs.length });
    }
    // Parts with nothing else in them first; otherwise in the order of the result.
    const parts: number[][] = [];
    for (const { outs } of found.sort((a, b) => a.extra - b.extra)) {
      if (parts.length < group.length && !parts.some((p) => p.some((o) => outs.includes(o))))
        parts.push(outs);
    }
    assign(group, parts);
  }
  return aliases;

  function assign(group: readonly number[][], parts: readonly number[][]): void {
    // Distances are only needed where there is a choice.
    const near =
      group.length * parts.length > 1 ? parts.map((outs) => outs.map((o) => distances(outputs[o]))) : [];
    const pairs = group.flatMap((leaves, g) =>
      parts.map((_, p) => ({
        g,
        p,
        distance: leaves.reduce((n, i, k) => n + (near[p]?.[k].get(graph.inputs[i]) ?? 100), 0),
      })),
    );
    const [taken, given] = [new Set<number>(), new Set<number>()];
    for (const { g, p } of pairs.sort((a, b) => a.distance - b.distance || a.g - b.g || a.p - b.p)) {
      if (taken.has(p) || given.has(g)) continue;
      taken.add(p);
      given.add(g);
      parts[p].forEach((o, k) => {
        aliases[o] = group[g][k];
      });
    }
  }
}

/** The donated leaves of each argument. */
function byArgument(list: readonly Leaf[], donated: ReadonlySet<number>): number[][] {
  const out = new Map<string, number[]>();
  for (const i of donated) {
    const [position] = list[i].path.split(".", 1);
    out.set(position, [...(out.get(position) ?? []), i]);
  }
  return [...out.values()];
}

/** Every node in a tree, from its root to its leaves, with its number of leaves. */
function prefixes(paths: readonly string[]): Map<string, number> {
  const all = new Map<string, number>([["", paths.length]]);
  for (const path of paths) {
    for (let end = path.indexOf("."); ; end = path.indexOf(".", end + 1)) {
      const place = end < 0 ? path : path.slice(0, end);
      // The root is counted already.
      if (place) all.set(place, (all.get(place) ?? 0) + 1);
      if (end < 0) break;
    }
  }
  return all;
}

/** The inputs within a few operations of `node`, with their distances. */
function distances(node: Node): Map<Node, number> {
  const found = new Map<Node, number>();
  let front = [node];
  const seen = new Set(front);
  for (let distance = 0; distance < 12 && front.length > 0; distance++) {
    for (const n of front) if (n.op === "input") found.set(n, distance);
    front = front.flatMap((n) => n.inputs.filter((x) => !seen.has(x) && seen.add(x)));
  }
  return found;
}
