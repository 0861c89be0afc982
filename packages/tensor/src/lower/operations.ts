import { computeType } from "../dtype.ts";
import type { Node, NodeOf } from "../graph.ts";
import type { Algebra } from "../math/algebra.ts";
import { type Build, elementwise } from "../math/elementwise.ts";
import type { Elementwise, Expanded } from "../primitives.ts";

type Computed = Elementwise & Expanded;

/** Operations that a group computes element by element. */
const operations: { readonly [K in keyof Computed]: Build<Computed[K]> } = {
  ...elementwise,
  fma: (a, type, _, [total, x, y]) => a.op(type, "fma", x, y, total),
  copy: (_, __, ___, [x]) => x,
};

export const isComputed = (n: Node): n is NodeOf<keyof Computed> => Object.hasOwn(operations, n.op);

/** A node's value from those of its arguments. */
export function computeNode<K extends keyof Computed, V>(node: NodeOf<K>, a: Algebra<V>, args: V[]): V {
  return operations[node.op](a, typeOf(node), node.attributes, args);
}

/** The type in which a node is computed. */
const typeOf = (node: { readonly inputs: readonly Node[] }) =>
  computeType(node.inputs[node.inputs.length - 1].dtype);

const counts = new Map<string, number>();

/** Number of basic operations of a node per element. */
export function basicOperations(node: Node): number {
  if (!isComputed(node)) return 1;
  const key = `${node.op} ${typeOf(node)}`;
  let count = counts.get(key);
  if (count === undefined) {
    let found = 0;
    const op = () => {
      found++;
      return null;
    };
    computeNode(
      node,
      { constant: () => null, op },
      node.inputs.map(() => null),
    );
    count = found;
    counts.set(key, count);
  }
  return count;
}
