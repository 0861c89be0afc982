import { computeType } from "../dtype.ts";
import type { Node } from "../graph.ts";
import type { CombineOp, Operand, Value } from "../kernel/kernel.ts";
import { elementwise } from "../math/elementwise.ts";
import type { Reductions } from "../primitives.ts";
import type { Emitter } from "./loops.ts";
import type { Member, Reducer } from "./members.ts";

export const starts: Record<keyof Reductions, (type: "f32" | "i32" | "u32") => number> = {
  sum: () => 0,
  prod: () => 1,
  max: (t) => (t === "f32" ? -Infinity : t === "i32" ? -2147483648 : 0),
  min: (t) => (t === "f32" ? Infinity : t === "i32" ? 2147483647 : 4294967295),
};
export const combiners: Record<keyof Reductions, CombineOp> = {
  sum: "add",
  prod: "mul",
  max: "max",
  min: "min",
};

/** The accumulator's next value. min and max propagate NaN. */
export function accumulate(e: Emitter, op: keyof Reductions, acc: Operand, [v, w]: Term): Operand {
  const b = e.builder;
  if (w) return b.fresh("f32", "fma", v, w, acc);
  const fresh = { constant: b.constant.bind(b), op: b.fresh.bind(b) };
  const type = acc.type;
  if (op === "sum" || op === "prod") return b.fresh(type, combiners[op], acc, v);
  return elementwise[op === "max" ? "maximum" : "minimum"](fresh, type, {}, [acc, v]);
}

/** The input of a reduction: a value, or the two factors of a product. */
export type Term = readonly [Operand] | readonly [Operand, Operand];

/** The product that a sum accumulates, if it is not stored: then it is multiplied and added in one operation. */
export function productOf(m: Member, unkept: (n: Node) => Member | undefined): Member | undefined {
  const [r] = m.reads;
  const x = m.node.op === "sum" && r.kind === "member" ? unkept(r.node) : undefined;
  return x?.node.op === "mul" && x.node.dtype === "f32" ? x : undefined;
}

export function termOf(
  e: Emitter,
  m: Member,
  value: (n: Node) => Operand,
  unkept: (n: Node) => Member | undefined,
): Term {
  const product = productOf(m, unkept);
  const [x, y] = (product ?? m).reads.map((r) => e.read(r, value));
  return product ? [x, y] : [x];
}

/** An accumulator with one part per lane. */
export function accumulator(e: Emitter, m: Reducer): Value {
  const type = computeType(m.node.dtype) as "f32";
  return e.builder.variable(e.builder.constant(type, starts[m.node.op](type)), true);
}
