import { apply } from "../apply.ts";
import { fail } from "../errors.ts";
import { currentGraph, type Node, type NodeOf, type Op } from "../graph.ts";
import { add } from "../ops/arithmetic.ts";
import { requireTensor } from "../ops/check.ts";
import { full } from "../ops/movement.ts";
import { show } from "../shape.ts";
import { nodeIn, Tensor } from "../tensor.ts";
import { leaves, type Tree, unflattenTree } from "../tree.ts";
import { eagerTrace } from "./eager-trace.ts";
import { rules } from "./rules.ts";
import { scanGradient } from "./scan-gradient.ts";
import { joinSlices, type Slice } from "./slices.ts";

/**
 * Propagates gradients of `ys` back to `xs` through the graph that is being traced: reverse mode, by appending nodes. Null means
 * that a result does not depend on that input.
 */
export function pullback(
  ys: readonly Tensor[],
  gs: readonly (Tensor | null)[],
  xs: readonly Tensor[],
): (Tensor | null)[] {
  const graph = currentGraph()!;
  const targets = xs.map((x) => nodeIn(graph, x, "gradient"));
  const sources = ys.map((y) => nodeIn(graph, y, "gradient"));
  const last = sources.reduce((n, s) => Math.max(n, s.id), -1);
  const depends = new Uint8Array(last + 1);
  for (const t of targets) if (t.id <= last) depends[t.id] = 1;
  for (let i = 0; i <= last; i++) {
    const node = graph.nodes[i];
    if (!depends[i] && rules[node.op] !== "flat" && node.inputs.some((n) => depends[n.id])) depends[i] = 1;
  }
  const gradients = new Map<number, Tensor>();
  const slices = new Map<number, Slice[]>();
  /** The total gradient of a node, after all contributions. */
  const total = (node: Node): Tensor | undefined => {
    const parts = slices.get(node.id);
    if (parts) {
      slices.delete(node.id);
      for (const g of joinSlices(node.shape, parts)) accumulate(node, g);
    }
    return gradients.get(node.id);
  };
  const elements = new Map<number, (Tensor | null)[]>();
  const accumulate = (node: Node, g: Tensor | null) => {
    if (!g || !depends[node.id] || node.dtype !== "f32") return;
    const known = gradients.get(node.id);
    gradients.set(node.id, known ? add(known, g) : g);
  };
  const accumulateScan = (node: Node, index: number, g: Tensor) => {
    const list = elements.get(node.id) ?? [];
    list[index] = list[index] ? add(list[index], g) : g;
    elements.set(node.id, list);
  };
  sources.forEach((s, i) => accumulate(s, gs[i]));
  for (let i = last; i >= 0; i--) {
    const node = graph.nodes[i];
    if (!depends[i]) continue;
    if (node.op === "scan") {
      const list = elements.get(i);
      if (list) scanGradient(node, list, pullback).forEach((g, k) => accumulate(node.inputs[k], g));
      continue;
    }
    const g = total(node);
    if (!g || rules[node.op] === "flat") continue;
    if (node.op === "slice" && node.attributes.step.every((s) => s === 1)) {
      const x = node.inputs[0];
      if (depends[x.id]) slices.set(x.id, [...(slices.get(x.id) ?? []), { begin: node.attributes.begin, g }]);
      continue;
    }
    if (node.op === "element") {
      accumulateScan(node.inputs[0], node.attributes.index, g);
      depends[node.inputs[0].id] = 1;
      continue;
    }
    byRule(node, g, new Tensor(node)).forEach((d, k) => accumulate(node.inputs[k], d));
  }
  return targets.map((t) => total(t) ?? null);
}

/** The gradients of a node's inputs from that of its result. */
function byRule<K extends Op>(node: NodeOf<K>, g: Tensor, y: Tensor): (Tensor | null)[] {
  const rule = rules[node.op];
  if (typeof rule === "string") fail("gradient", `the operation "${node.op}" has no gradient.`, node.site);
  return rule(
    g,
    y,
    node.inputs.map((n) => new Tensor(n)),
    node,
  );
}

/** The gradient of a traced scalar `y` with respect to every tensor of `xs`; zero if `y` does not depend on it. */
export function gradient<T extends Tree>(y: Tensor, xs: T): T {
  if (!currentGraph())
    fail(
      "gradient",
      "needs a graph, which exists only inside a traced function. Use valueAndGradient(fn) or call it inside compile().",
    );
  requireTensor(y, "gradient");
  if (y.dtype !== "f32")
    fail(
      "gradient",
      `needs an f32 scalar, but got ${y.dtype}${show(y.shape)}: only floating-point results have gradients.`,
    );
  if (y.size !== 1) fail("gradient", `needs a scalar, but got ${show(y.shape)}. Take its sum or mean first.`);
  const tensors = leaves(xs);
  const gs = pullback([y], [full(y.shape, 1)], tensors);
  return unflattenTree(
    xs,
    gs.map((g, i) => g ?? full(tensors[i].shape, 0)),
  );
}

let scopes = 0;

/** Result of {@link valueAndGradient}. */
export type ValueAndGradient<T, A = undefined> = {
  value: Tensor;
  gradient: T;
  aux: A;
};

/**
 * A function that also returns the gradient with respect to its first argument. `fn` returns the scalar, or `[scalar, aux]`
 * where aux is any tree of further results. Works inside compiled functions, inside itself (higher derivatives), and eagerly.
 */
export function valueAndGradient<T extends Tree, R extends Tree[], A extends Tree = undefined>(
  fn: (x: T, ...rest: R) => Tensor | readonly [Tensor, A],
): (x: T, ...rest: R) => ValueAndGradient<T, A> {
  return (x, ...rest) => {
    if (!currentGraph()) return eagerTrace(() => valueAndGradient(fn)(x, ...rest));
    // A separate copy for every scope and position: an outer gradient must not use the inner one's variable, and a tensor
    // that is passed twice is two variables.
    const scope = scopes++;
    const own = unflattenTree(
      x,
      leaves(x).map((t, i) => apply("identity", [t], { scope, i }, t.shape, t.dtype)),
    );
    const result = fn(own, ...rest);
    if (!Array.isArray(result)) requireTensor(result, "gradient");
    const [value, aux] = result instanceof Tensor ? [result, undefined] : (result as readonly [Tensor, A]);
    return { value, gradient: gradient(value, own), aux: aux as A };
  };
}

/** The gradient of `fn` with respect to its first argument. */
export function grad<T extends Tree, R extends Tree[]>(
  fn: (x: T, ...rest: R) => Tensor,
): (x: T, ...rest: R) => T {
  const f = valueAndGradient<T, R>(fn);
  return (x, ...rest) => f(x, ...rest).gradient;
}
