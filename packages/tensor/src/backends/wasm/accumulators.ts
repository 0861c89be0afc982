import type { CombineOp, Stmt, Value } from "../../kernel/kernel.ts";
import { scalarOperation, vectorOperation } from "./operations.ts";
import type { Registers } from "./registers.ts";
import { registerType } from "./registers.ts";

/** Gives an accumulator its vectors and, where a loop has a tail, its scalar. */
export function declareAccumulator(values: Registers, s: Extract<Stmt, { kind: "declare" }>): void {
  const { code } = values;
  const { vectors, scalar } = values.facts.accumulators.get(s.variable.id)!;
  const slot = values.slot(s.variable);
  if (scalar || vectors === 0) {
    values.scalar(s.init);
    code.set((slot.scalar = values.local(registerType(s.variable.type))));
  }
  for (let u = 0; u < vectors; u++) {
    slot.vector[u] = values.local("v128");
    if (u === 0) {
      values.scalar(s.init);
      values.spread(s.init.type);
    } else code.get(slot.vector[0]);
    code.set(slot.vector[u]);
  }
}

/** Joins an accumulator's parts in a fixed order: vectors pairwise, then lanes (0, 1) and (2, 3), then the scalar rest. */
export function combine(values: Registers, result: Value, accumulator: Value, op: CombineOp): void {
  const { code } = values;
  const type = accumulator.type;
  const slot = values.slots.get(accumulator.id);
  if (!slot)
    throw new Error(
      `${values.kernel.label}: accumulator ${accumulator.id} is combined before it is declared.`,
    );
  // These instructions let NaN through from either side.
  const extreme = type === "f32" && (op === "min" || op === "max") && op;
  const join = (from: number, to: number): void => {
    if (to - from === 1) return void code.get(slot.vector[from]);
    const middle = (from + to) >> 1;
    const part = (i: number) => (i === 0 ? join(from, middle) : join(middle, to));
    if (!extreme) return void vectorOperation(code, op, type, part, false);
    part(0);
    part(1);
    code.simd(`f32x4.${extreme}`);
  };
  const scalarJoin = (left: () => void, right: () => void): void => {
    if (!extreme) return scalarOperation(code, op, type, (i) => (i === 0 ? left() : right()), []);
    left();
    right();
    code.op(`f32.${extreme}`);
  };
  if (slot.vector.length > 0) {
    const all = code.local("v128");
    join(0, slot.vector.length);
    code.set(all);
    const lane = (i: number) => () =>
      void code.get(all).lane(type === "f32" ? "f32x4.extract_lane" : "i32x4.extract_lane", i);
    const lanes = () =>
      scalarJoin(
        () => scalarJoin(lane(0), lane(1)),
        () => scalarJoin(lane(2), lane(3)),
      );
    const rest = slot.scalar;
    if (rest === undefined) lanes();
    else scalarJoin(lanes, () => void code.get(rest));
    code.free(all);
  } else code.get(slot.scalar as number);
  code.set((values.slot(result).scalar ??= values.local(registerType(type))));
}
