import { fail } from "../errors.ts";
import { currentGraph, Graph, type Node, tracing } from "../graph.ts";
import { asTensor, type TensorLike } from "../ops/check.ts";
import { permute } from "../ops/movement.ts";
import { sum } from "../ops/reduce.ts";
import { nodeIn, Tensor } from "../tensor.ts";
import { mapTree, rebuild, type Tree } from "../tree.ts";
import { widen } from "./batched-value.ts";
import { batchedReplay } from "./batching.ts";
import type { CustomRule } from "./custom.ts";
import { eagerTrace } from "./eager-trace.ts";
import { axesFor, extentOf, type MapAxes } from "./map-axes.ts";

/** Along which axes the members lie. */
export interface MapOptions {
  /** One for all arguments, or a list with one entry per argument; 0 by default. */
  in?: MapAxes;
}

/**
 * A function that works on many members at once: `fn` is written for one, and the result has a leading axis for the members. The
 * members are computed together, not in a loop. Works eagerly, when compiled, and in and around `gradient`, `scan` and itself.
 *
 *     const norms = vmap((x: Tensor) => sqrt(sum(square(x))));
 *     norms(ones([5, 3])).shape; // [5]
 */
export function vmap<A extends unknown[], R extends Tree>(
  fn: (...args: A) => R,
  options: MapOptions = {},
): (...args: A) => R {
  const mapped = (...args: A): R => {
    if (!currentGraph()) return eagerTrace(() => mapped(...args));
    const axes = axesFor(args, options.in === undefined ? 0 : options.in);
    const count = extentOf(args, axes);
    const graph = new Graph(currentGraph());
    const members: Tensor[] = [];
    let k = 0;
    const symbolic = mapTree(args, (leaf) => {
      const axis = axes[k++];
      if (axis === null) return leaf;
      const t = leaf as Tensor;
      members.push(
        permute(
          t,
          [axis, ...t.shape.keys()].filter((a, i) => i === 0 || a !== axis),
        ),
      );
      return new Tensor(
        graph.input(
          t.shape.filter((_, a) => a !== axis),
          t.dtype,
        ),
      );
    });
    const { result, nodes } = tracing(graph, () => {
      // Numbers become constants of the inner graph, so that `fn` always gets tensors.
      const inner = mapTree(symbolic, (leaf) => asTensor(leaf as TensorLike, "vmap")) as A;
      const result = fn(...inner);
      if ((result as unknown) instanceof Promise)
        fail(
          "vmap",
          "the function is asynchronous. Mapped functions are synchronous: await outside of them.",
        );
      return { result, nodes: outputsOf(graph, result) };
    });
    const captured = graph.captures.map((c) => ({ tensor: c.tensor as Tensor, batched: false }));
    const inputs = [...members.map((tensor) => ({ tensor, batched: true })), ...captured];
    return rebuild(
      result,
      batchedReplay(graph, nodes, inputs, count, mapRule).map((v) => widen(v, count).tensor),
    );
  };
  return mapped;
}

const ruleCache = new WeakMap<CustomRule, Map<string, CustomRule>>();

/** The rule of a custom gradient for all members. What the members share gets the sum of their gradients. */
function mapRule(rule: CustomRule, shared: readonly boolean[]): CustomRule {
  // One function per rule and pattern: equal nodes are only found equal when their rules are.
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
