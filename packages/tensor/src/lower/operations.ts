import { computeType } from "../dtype.ts";
import type { Node } from "../graph.ts";
import { type Build, elementwise } from "../math/elementwise.ts";

/**
 * What a group computes element by element: the elementwise operations, and two that only `expand.ts` makes. `fma(total, x, y)` adds a term of a
 * product, which may be rounded once or twice; `copy` gives a view memory of its own.
 */
export const operations: Readonly<Record<string, Build>> = {
  ...elementwise,
  fma: (a, type, _, [total, x, y]) => a.op(type, "fma", x, y, total),
  copy: (_, __, ___, [x]) => x,
};

const counts = new Map<string, number>();

/** How many basic operations a node takes for each element. */
export function basicOperations(node: Node): number {
  const build = operations[node.op];
  if (!build) return 1;
  const type = computeType(node.inputs[node.inputs.length - 1].dtype);
  const key = `${node.op} ${type}`;
  let count = counts.get(key);
  if (count === undefined) {
    let found = 0;
    const op = () => {
      found++;
      return null;
    };
    const counting = { constant: () => null, op };
    build(
      counting,
      type,
      node.attributes,
      node.inputs.map(() => null),
    );
    count = found;
    counts.set(key, count);
  }
  return count;
}
