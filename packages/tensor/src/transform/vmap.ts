import { fail } from "../errors.ts";
import { currentGraph, Graph, type Node, tracing } from "../graph.ts";
import { asTensor, type TensorLike } from "../ops/check.ts";
import { permute, stack } from "../ops/movement.ts";
import { sum } from "../ops/reduce.ts";
import { nodeIn, Tensor } from "../tensor.ts";
import { mapTree, type Tree, unflattenTree } from "../tree.ts";
import { type Batched, widen } from "./batched-value.ts";
import { batchedReplay } from "./batching.ts";
import type { CustomRule } from "./custom.ts";
import { eagerTrace } from "./eager-trace.ts";
import { axesFor, extentOf, type VmapAxes } from "./map-axes.ts";

/** The axes of the members. */
export interface VmapOptions {
  /** One for all arguments, or a list with one entry per argument (default 0). */
  in?: VmapAxes;
}

/**
 * Vectorises a function: `fn` is written for one member, and the result has a leading axis for the members. The
 * members are computed together, not in a loop. Works eagerly, compiled, and in and around `gradient`, `scan` and itself.
 *
 *     const norms = vmap((x: Tensor) => sqrt(sum(square(x))));
 *     norms(ones([5, 3])).shape; // [5]
 *
 * A list has a function for each member. The functions must do the same, but each may capture its own tensors.
 */
export function vmap<A extends unknown[], R extends Tree>(
  fn: ((...args: A) => R) | readonly ((...args: A) => R)[],
  options: VmapOptions = {},
): (...args: A) => R {
  const members = typeof fn === "function" ? [fn] : fn;
  const mapped = (...args: A): R => {
    if (!currentGraph()) return eagerTrace(() => mapped(...args));
    const axes = axesFor(args, options.in === undefined ? 0 : options.in);
    const count = extentOf(args, axes);
    if (members.length !== 1 && members.length !== count)
      fail("vmap", `got ${members.length} functions for ${count} members.`);
    let k = 0;
    const given: Batched[] = [];
    mapTree(args, (leaf) => {
      const axis = axes[k++];
      const front = (t: Tensor) =>
        permute(
          t,
          [axis as number, ...t.shape.keys()].filter((a, i) => i === 0 || a !== axis),
        );
      if (axis !== null) given.push({ tensor: front(leaf as Tensor), batched: true });
      return leaf;
    });
    const traces = members.map((member) => traceMember(member, args, axes));
    const [{ graph, nodes, result }] = traces;
    const inputs = [...given, ...sharedCaptures(traces.map((t) => t.graph))];
    return unflattenTree(
      result,
      batchedReplay(graph, nodes, inputs, count, mapRule).map((v) => widen(v, count).tensor),
    );
  };
  return mapped;
}

/** The trace of a function for one member. */
function traceMember<A extends unknown[], R extends Tree>(
  fn: (...args: A) => R,
  args: A,
  axes: readonly (number | null)[],
): { readonly graph: Graph; readonly result: R; readonly nodes: readonly Node[] } {
  const graph = new Graph(currentGraph());
  let k = 0;
  const symbolic = mapTree(args, (leaf) => {
    const axis = axes[k++];
    if (axis === null) return leaf;
    const { shape, dtype } = leaf as Tensor;
    return new Tensor(
      graph.input(
        shape.filter((_, a) => a !== axis),
        dtype,
      ),
    );
  });
  return tracing(graph, () => {
    // Numbers become constants of the inner graph, so that `fn` always receives tensors.
    const inner = mapTree(symbolic, (leaf) => asTensor(leaf as TensorLike, "vmap")) as A;
    const result = fn(...inner);
    if ((result as unknown) instanceof Promise)
      fail("vmap", "the function is asynchronous. Mapped functions are synchronous: await outside of them.");
    return { graph, result, nodes: outputsOf(graph, result) };
  });
}

/** Captured tensors: those that all members share, and stacked those that differ. */
function sharedCaptures([first, ...others]: readonly Graph[]): Batched[] {
  const text = (g: Graph) => g.nodes.map((n) => `${n.op}${n.dtype}${n.shape}`).join();
  if (others.some((g) => text(g) !== text(first)))
    fail(
      "vmap",
      "the functions of its members differ. They may capture different tensors, but must do the same operations.",
    );
  return first.captures.map((c, i) => {
    const each = [first, ...others].map((g) => g.captures[i].tensor as Tensor);
    return each.every((t) => t === each[0])
      ? { tensor: c.tensor as Tensor, batched: false }
      : { tensor: stack(each), batched: true };
  });
}

const ruleCache = new WeakMap<CustomRule, Map<string, CustomRule>>();

/** The custom gradient rule for all members. Shared arguments get the sum of the members' gradients. */
function mapRule(rule: CustomRule, shared: readonly boolean[]): CustomRule {
  // One function per rule and pattern: nodes are equal only if their rules are.
  const known = ruleCache.get(rule) ?? new Map<string, CustomRule>();
  ruleCache.set(rule, known);
  const pattern = shared.join();
  let mapped = known.get(pattern);
  if (!mapped) {
    const all = vmap((g: Tensor, y: Tensor, xs: Tensor[]) => rule(g, y, ...xs), {
      in: [0, 0, shared.map((s) => (s ? null : 0))],
    });
    mapped = (g, y, ...xs) => all(g, y, xs).map((d, i) => (d && shared[i] ? sum(d, 0) : d));
    known.set(pattern, mapped);
  }
  return mapped;
}

function outputsOf(graph: Graph, result: Tree): Node[] {
  const nodes: Node[] = [];
  mapTree(result, (leaf, path) => {
    if (!(leaf instanceof Tensor))
      fail("vmap", `result ${path || "of the function"} is ${typeof leaf}, not a Tensor.`);
    nodes.push(nodeIn(graph, leaf, "vmap"));
  });
  return nodes;
}
