import {
  cast,
  concat,
  div,
  lengthMask,
  oneHot,
  reshape,
  slice,
  sub,
  type Tensor,
  type Tree,
  where,
} from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Graph, Space } from "../space.ts";
import { elements, hostOnly, letterRoom } from "./layout.ts";

/** Number of features of a flattened value. */
export function flatSize(space: Space): number {
  switch (space.kind) {
    case "discrete":
      return space.n;
    case "multiDiscrete":
      return total(space.sizes);
    case "list":
      return space.max * flatSize(space.item) + 1;
    case "graph":
      return (
        space.maxNodes * space.nodeFeatures + space.maxEdges * (space.edgeFeatures + 2 * space.maxNodes) + 2
      );
    case "dict":
      return total(Object.values(space.spaces).map(flatSize));
    case "tuple":
      return total(space.spaces.map(flatSize));
    case "text":
      return 2 * letterRoom(space) + 1;
    case "content":
      return hostOnly(space);
    default:
      return elements(space);
  }
}

/**
 * The columns of a space as one f32 tensor […, features] for a network: choices become one-hot, bytes (also of characters) are scaled to [0, 1], padding is
 * zero and counts are fractions of their maximum. `leading` is the number of leading axes: 2 for [time, rows, …].
 */
export function flatten(space: Space, tree: Tree, { leading = 1 } = {}): Tensor {
  switch (space.kind) {
    case "discrete":
      return choices(leaf(space, tree, leading), space.n, space.start);
    case "multiDiscrete":
      return manyChoices(leaf(space, tree, leading), space.sizes, leading);
    case "image":
      return div(rows(cast(leaf(space, tree, leading), "f32"), leading), 255);
    case "multiBinary":
      return cast(leaf(space, tree, leading), "f32");
    case "box":
    case "simplex":
      return rows(leaf(space, tree, leading), leading);
    case "list": {
      const count = part(tree, "count") as Tensor;
      const items = flatten(space.item, part(tree, "items"), { leading: leading + 1 });
      return concat([rows(present(items, count, space.max), leading), share(count, space.max)], -1);
    }
    case "text": {
      const room = letterRoom(space);
      const count = part(tree, "count") as Tensor;
      const letters = div(cast(part(tree, "letters") as Tensor, "f32"), 255);
      return concat([rows(letters, leading), share(count, room)], -1);
    }
    case "graph":
      return flatGraph(space, tree, leading);
    case "dict":
      return join(
        Object.keys(space.spaces).map((name) => flatten(space.spaces[name], part(tree, name), { leading })),
      );
    case "tuple":
      return join(space.spaces.map((inner, i) => flatten(inner, part(tree, i), { leading })));
    default:
      return hostOnly(space);
  }
}

function flatGraph(space: Graph, tree: Tree, leading: number): Tensor {
  const [nodeCount, edgeCount] = [part(tree, "nodeCount") as Tensor, part(tree, "edgeCount") as Tensor];
  const links = oneHot(part(tree, "links") as Tensor, space.maxNodes);
  const perEdge = reshape(links, [...links.shape.slice(0, leading + 1), 2 * space.maxNodes]);
  return join([
    rows(present(part(tree, "nodes") as Tensor, nodeCount, space.maxNodes), leading),
    rows(present(part(tree, "edges") as Tensor, edgeCount, space.maxEdges), leading),
    rows(present(perEdge, edgeCount, space.maxEdges), leading),
    share(nodeCount, space.maxNodes),
    share(edgeCount, space.maxEdges),
  ]);
}

function choices(x: Tensor, n: number, start = 0): Tensor {
  return oneHot(start === 0 ? x : sub(x, start), n);
}

function manyChoices(x: Tensor, sizes: readonly number[], leading: number): Tensor {
  if (sizes.every((n) => n === sizes[0])) return rows(choices(x, sizes[0]), leading);
  const all = x.shape.slice(0, leading).map(() => null);
  const one = (i: number) => reshape(slice(x, [...all, [i, i + 1]]), x.shape.slice(0, leading));
  return join(sizes.map((n, i) => choices(one(i), n)));
}

/** Zeros out missing items: […, max, f] with counts […]. */
function present(x: Tensor, count: Tensor, max: number): Tensor {
  return where(reshape(lengthMask(count, max), [...x.shape.slice(0, -1), 1]), x, 0);
}

/** A count as a feature between 0 and 1. */
export function share(count: Tensor, max: number): Tensor {
  return reshape(div(cast(count, "f32"), Math.max(1, max)), [...count.shape, 1]);
}

/** Merges all axes after the leading ones. */
function rows(x: Tensor, leading: number): Tensor {
  const size = x.shape.slice(leading).reduce((n, d) => n * d, 1);
  return reshape(x, [...x.shape.slice(0, leading), size]);
}

function join(parts: readonly Tensor[]): Tensor {
  if (parts.length === 0)
    fail("flatten", "a space without parts has no features. Give it at least one part.");
  return parts.length === 1 ? parts[0] : concat(parts, -1);
}

function part(tree: Tree, name: string | number): Tree {
  const found = (tree as { readonly [name: string]: Tree } | undefined)?.[name];
  if (found === undefined || found === null)
    fail("flatten", `the columns have no part "${name}". They were laid out for another space.`);
  return found;
}

/** The column of a single-column space; its axes must be the leading ones and the space's own. */
function leaf(space: Space, tree: Tree, leading: number): Tensor {
  const t = tree as Tensor | undefined;
  const size = t?.shape?.slice(leading).reduce((n, d) => n * d, 1);
  if (size !== elements(space))
    fail(
      "flatten",
      `a ${space.kind} column with ${elements(space)} numbers after ${leading} leading ${leading === 1 ? "axis" : "axes"} was expected, but it has shape [${t?.shape}]. Set \`leading\` to the number of leading axes.`,
    );
  return t as Tensor;
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((n, size) => n + size, 0);
}
