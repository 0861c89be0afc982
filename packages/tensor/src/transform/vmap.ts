import { fail } from "../errors.ts";
import { currentGraph, Graph, type Node, tracing } from "../graph.ts";
import { asTensor, axisOf, type TensorLike } from "../ops/check.ts";
import { permute } from "../ops/movement.ts";
import { show } from "../shape.ts";
import { nodeIn, Tensor } from "../tensor.ts";
import { mapTree, namesAlong, rebuild, type Tree } from "../tree.ts";
import { batchedReplay, widen } from "./batching.ts";
import { eagerGradient } from "./gradient.ts";

/** Which axis of each tensor holds the members; null passes a tensor whole to every member. A number or null holds for all below it. */
export type MapAxes = number | null | readonly MapAxes[] | { readonly [name: string]: MapAxes };

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
    if (!currentGraph()) return eagerGradient(() => mapped(...args));
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
      batchedReplay(graph, nodes, inputs, count).map((v) => widen(v, count).tensor),
    );
  };
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

/** The axis of every leaf of the arguments, in order. */
function axesFor(args: readonly unknown[], given: MapAxes): (number | null)[] {
  const out: (number | null)[] = [];
  mapTree(args, (leaf, path) => {
    let axis: MapAxes | undefined = given;
    for (const name of namesAlong(path)) {
      if (typeof axis !== "object" || axis === null) break;
      axis = (axis as Record<string, MapAxes>)[name];
      if (axis === undefined)
        fail(
          "vmap",
          `\`in\` says nothing about argument ${path}. Give an axis number, or null for one that all members share.`,
        );
    }
    if (typeof axis === "object" && axis !== null)
      fail("vmap", `\`in\` nests deeper than argument ${path}, which is one tensor.`);
    if (!(leaf instanceof Tensor)) {
      if (typeof leaf !== "number" && typeof leaf !== "boolean")
        fail(
          "vmap",
          `argument ${path} is ${typeof leaf}; arguments are tensors, numbers, and objects and arrays of them.`,
        );
      axis = null;
    }
    out.push(axis === null ? null : axisOf(axis as number, (leaf as Tensor).rank, `vmap argument ${path}`));
  });
  return out;
}

/** How many members there are. */
function extentOf(args: readonly unknown[], axes: readonly (number | null)[]): number {
  const tensors: { tensor: Tensor; path: string; axis: number }[] = [];
  let k = 0;
  mapTree(args, (leaf, path) => {
    const axis = axes[k++];
    if (axis !== null) tensors.push({ tensor: leaf as Tensor, path, axis });
  });
  const first = tensors[0] ?? fail("vmap", "no argument is mapped: at least one needs an axis.");
  const count = first.tensor.shape[first.axis];
  for (const { tensor, path, axis } of tensors) {
    if (tensor.shape[axis] !== count) {
      fail(
        "vmap",
        `argument ${path} ${show(tensor.shape)} has ${tensor.shape[axis]} members on axis ${axis}, but argument ${first.path} ${show(first.tensor.shape)} has ${count}.`,
      );
    }
  }
  return count;
}
