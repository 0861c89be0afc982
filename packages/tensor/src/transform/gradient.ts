import { apply } from "../apply.ts";
import { fail } from "../errors.ts";
import { currentGraph, Graph, type Node, tracing } from "../graph.ts";
import { add } from "../ops/arithmetic.ts";
import { full } from "../ops/movement.ts";
import { interpret } from "../reference/interpret.ts";
import { show } from "../shape.ts";
import { nodeIn, Tensor } from "../tensor.ts";
import { leaves, rebuild, type Tree } from "../tree.ts";
import { flat, rules } from "./rules.ts";
import { scanGradient } from "./scan.ts";

/**
 * Carries gradients of `ys` back to `xs` through the graph that is being traced: reverse mode, by appending nodes. Null means
 * that a result does not depend on that input.
 */
export function pullback(ys: readonly Tensor[], gs: readonly (Tensor | null)[], xs: readonly Tensor[]): (Tensor | null)[] {
  const graph = currentGraph()!;
  const targets = xs.map((x) => nodeIn(graph, x, "gradient"));
  const sources = ys.map((y) => nodeIn(graph, y, "gradient"));
  const last = sources.reduce((n, s) => Math.max(n, s.id), -1);
  const depends = new Uint8Array(last + 1);
  for (const t of targets) if (t.id <= last) depends[t.id] = 1;
  for (let i = 0; i <= last; i++) {
    const node = graph.nodes[i];
    if (!depends[i] && !flat.has(node.op) && node.inputs.some((n) => depends[n.id])) depends[i] = 1;
  }
  const gradients = new Map<number, Tensor>();
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
      if (list) scanGradient(node, list).forEach((g, k) => accumulate(node.inputs[k], g));
      continue;
    }
    const g = gradients.get(i);
    if (!g || flat.has(node.op)) continue;
    if (node.op === "element") {
      accumulateScan(node.inputs[0], node.attributes.index as number, g);
      depends[node.inputs[0].id] = 1;
      continue;
    }
    const rule = rules[node.op];
    if (!rule) fail("gradient", `the operation "${node.op}" has no gradient.`, node.site);
    rule(g, new Tensor(node), node.inputs.map((n) => new Tensor(n)), node).forEach((d, k) => accumulate(node.inputs[k], d));
  }
  return targets.map((t) => gradients.get(t.id) ?? null);
}

/** The gradient of a traced scalar `y` with respect to every tensor of `xs`; zero where `y` does not depend on one. */
export function gradient<T extends Tree>(y: Tensor, xs: T): T {
  if (!currentGraph()) fail("gradient", "there is no graph to differentiate outside of a traced function. Use valueAndGradient(fn) or call it inside compile().");
  if (y.size !== 1) fail("gradient", `needs a scalar, but got ${show(y.shape)}. Take its sum or mean first.`);
  const tensors = leaves(xs);
  const gs = pullback([y], [full(y.shape, 1)], tensors);
  return rebuild(xs, gs.map((g, i) => g ?? full(tensors[i].shape, 0)));
}

let scopes = 0;

/** What {@link valueAndGradient} returns. */
export interface ValueAndGradient<T, A = undefined> {
  value: Tensor;
  gradient: T;
  aux: A;
}

/**
 * A function that also returns the gradient with respect to its first argument. `fn` returns the scalar, or `[scalar, aux]`
 * where aux is any tree of further results. Works inside compiled functions, inside itself (higher derivatives), and eagerly.
 */
export function valueAndGradient<T extends Tree, R extends Tree[], A extends Tree = undefined>(
  fn: (x: T, ...rest: R) => Tensor | readonly [Tensor, A],
): (x: T, ...rest: R) => ValueAndGradient<T, A> {
  return (x, ...rest) => {
    if (!currentGraph()) return eagerGradient(() => valueAndGradient(fn)(x, ...rest));
    // A copy of its own for every scope: an outer gradient must not see the inner one's variable as its own.
    const scope = scopes++;
    const own = rebuild(x, leaves(x).map((t) => apply("identity", [t], { scope }, t.shape, t.dtype)));
    const result = fn(own, ...rest);
    const [value, aux] = result instanceof Tensor ? [result, undefined] : result;
    return { value, gradient: gradient(value, own), aux: aux as A };
  };
}

/** The gradient of `fn` with respect to its first argument. */
export function grad<T extends Tree, R extends Tree[]>(fn: (x: T, ...rest: R) => Tensor): (x: T, ...rest: R) => T {
  const f = valueAndGradient<T, R>(fn);
  return (x, ...rest) => f(x, ...rest).gradient;
}

/** Traces `body` with every tensor it uses captured, and computes its results with the reference back end. */
export function eagerGradient<R>(body: () => R): R {
  const graph = new Graph();
  const result = tracing(graph, body) as unknown as Tree;
  const outputs = leaves(result);
  const inputs = graph.captures.map((c) => (c.tensor as Tensor).data);
  const nodes = outputs.map((t) => (t.node?.graph === graph ? t.node : undefined));
  const values = interpret(graph, nodes.filter((n): n is Node => !!n), inputs);
  let k = 0;
  return rebuild(result, outputs.map((t, i) => (nodes[i] ? values[k++] : t))) as unknown as R;
}
