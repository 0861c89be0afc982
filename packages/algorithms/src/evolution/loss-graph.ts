import { fail } from "@reins/core";
import { didYouMean } from "@reins/core/errors";
import type { Tensor } from "@reins/tensor";
import type { LossInputs } from "./loss-inputs.ts";
import { type Kind, type OpName, ops } from "./loss-ops.ts";

/** Inputs available to every loss graph. Constants are written as strings, because numbers are positions of nodes. */
export const inputs = {
  online: "weights",
  target: "weights",
  state: "state",
  next: "state",
  action: "action",
  reward: "number",
  discount: "number",
  "0.01": "number",
  "0.1": "number",
  "0.2": "number",
  "0.5": "number",
  "1": "number",
} as const satisfies { readonly [name: string]: Kind };
export type InputName = keyof typeof inputs;

/** A value in a graph: an input by its name, or an earlier node by its position. */
export type Ref = InputName | number;

/** One operation on earlier values. */
export interface LossNode {
  readonly op: OpName;
  readonly of: readonly Ref[];
}

/**
 * The loss of a value-based agent as plain data: a typed graph whose last node is one number per transition.
 * Co-Reyes et al., "Evolving Reinforcement Learning Algorithms" (2021).
 */
export type LossGraph = readonly LossNode[];

/** The type of a value in the graph. */
export function kindOf(graph: LossGraph, ref: Ref): Kind {
  return typeof ref === "number" ? ops[graph[ref].op].to : inputs[ref];
}

/** Fails with the reason if a graph is not a valid loss. */
export function checkLoss(graph: LossGraph): void {
  graph.forEach(({ op, of }, at) => {
    const where = `loss, node ${at}`;
    const known = Object.hasOwn(ops, op);
    if (!known) fail(where, `unknown operation ${op}.${didYouMean(op, Object.keys(ops))}`);
    const { from } = ops[op];
    if (of.length !== from.length) fail(where, `${op} takes ${from.length} values, got ${of.length}.`);
    of.forEach((ref, i) => {
      if (typeof ref === "number" ? !(ref >= 0 && ref < at) : !Object.hasOwn(inputs, ref))
        fail(where, `${ref} is neither an input nor an earlier node.`);
      const kind = kindOf(graph, ref);
      if (kind !== from[i]) fail(where, `${op} takes a ${from[i]}, but ${ref} is a ${kind}.`);
    });
  });
  if (graph.length === 0 || kindOf(graph, graph.length - 1) !== "number")
    fail("loss", "the last node must be one number per transition.");
}

/** The loss of each transition, on traced or concrete tensors. */
export function applyLoss(graph: LossGraph, given: LossInputs): Tensor {
  const values: unknown[] = [];
  const read = (ref: Ref): unknown => {
    if (typeof ref === "number") return values[ref];
    if (ref === "action" || ref === "reward" || ref === "discount") return given[ref];
    // Weights and states are only names here; the operation that needs their outputs computes them.
    return inputs[ref] === "number" ? Number(ref) : ref;
  };
  for (const { op, of } of graph) values.push(ops[op].apply(of.map(read) as never, given.q));
  return values[values.length - 1] as Tensor;
}

/** The graph without unused nodes. */
export function prune(graph: LossGraph): LossGraph {
  const needed = new Set([graph.length - 1]);
  for (let at = graph.length - 1; at >= 0; at--)
    if (needed.has(at)) for (const ref of graph[at].of) if (typeof ref === "number") needed.add(ref);
  const kept = graph.map((_, at) => at).filter((at) => needed.has(at));
  return kept.map((at) => ({
    op: graph[at].op,
    of: graph[at].of.map((ref) => (typeof ref === "number" ? kept.indexOf(ref) : ref)),
  }));
}

/**
 * The graph as a formula.
 *
 * @experimental
 */
export function showLoss(graph: LossGraph, ref: Ref = graph.length - 1): string {
  if (typeof ref !== "number") return ref;
  const { op, of } = graph[ref];
  return `${op}(${of.map((r) => showLoss(graph, r)).join(", ")})`;
}
