import { type CombineOp, laneCount, type Stmt, type Value } from "../../kernel/kernel.ts";
import type { Code } from "./assembler.ts";
import { scalarOperation, vectorOperation } from "./operations.ts";
import { type Registers, registerType } from "./registers.ts";

/** Vector locals that hold an accumulator's lanes. */
export const parts = laneCount / 4;

/** Allocates the vectors of an accumulator. */
export function declareAccumulator(values: Registers, s: Extract<Stmt, { kind: "declare" }>): void {
  const { code } = values;
  const slot = values.slot(s.variable);
  for (let u = 0; u < parts; u++) {
    slot.vector[u] = values.local("v128");
    if (u === 0) {
      values.scalar(s.init);
      values.spread(s.init.type);
    } else code.get(slot.vector[0]);
    code.set(slot.vector[u]);
  }
}

/** Rotates the parts of accumulators by `count`, so that the current one comes first. */
export function turnParts(values: Registers, sums: readonly Value[], count: number): void {
  const { code } = values;
  for (const sum of sums) {
    const { vector } = values.slot(sum);
    vector.forEach((_, u) => code.get(vector[(u + count) % parts]));
    for (const local of [...vector].reverse()) code.set(local);
  }
}

/**
 * Scalar code on the lanes of one part in turn: `enter` extracts the first lane, `leave` puts it back and rotates the lanes by one.
 * After `count` lanes, `finish` rotates them back.
 */
export function laneByLane(values: Registers, sums: readonly Value[], part: number, count: number) {
  const { code } = values;
  const each = (visit: (vector: number, scalar: number, type: Value["type"]) => void) => {
    for (const sum of sums) {
      const slot = values.slot(sum);
      slot.scalar ??= values.local(registerType(sum.type));
      visit(slot.vector[part], slot.scalar, sum.type);
    }
  };
  return {
    enter: () =>
      each((vector, scalar, type) => {
        code
          .get(vector)
          .lane(`${shapeOf(type)}.extract_lane`, 0)
          .set(scalar);
      }),
    leave: () =>
      each((vector, scalar, type) => {
        code
          .get(vector)
          .get(scalar)
          .lane(`${shapeOf(type)}.replace_lane`, 0)
          .set(vector);
        moveLanes(code, vector, 1);
      }),
    finish: () => {
      each((vector) => moveLanes(code, vector, 4 - count));
      for (const sum of sums) values.slot(sum).scalar = undefined;
    },
  };
}

const shapeOf = (type: Value["type"]) => (type === "f32" ? "f32x4" : "i32x4");

function moveLanes(code: Code, vector: number, count: number): void {
  const bytes = Array.from({ length: 16 }, (_, i) => (i + 4 * count) % 16);
  code.get(vector).get(vector).shuffle(bytes).set(vector);
}

/** Reduces an accumulator's lanes by halves: l with l + 8, then with l + 4, l + 2 and l + 1. */
export function combine(values: Registers, result: Value, accumulator: Value, op: CombineOp): void {
  const { code } = values;
  const type = accumulator.type;
  const slot = values.slots.get(accumulator.id);
  if (!slot)
    throw new Error(
      `${values.kernel.label}: accumulator ${accumulator.id} is combined before it is declared.`,
    );
  const { vector } = slot;
  // min and max propagate NaN from either operand.
  const extreme = type === "f32" && (op === "min" || op === "max");
  const better = op === "min" ? "lt" : "gt";
  const join = (left: () => void, right: () => void): void => {
    if (!extreme) return void vectorOperation(code, op, type, (i) => (i === 0 ? left() : right()), false);
    const [a, b] = [code.local("v128"), code.local("v128")];
    left();
    code.tee(a);
    right();
    code.tee(b).get(a).get(b).simd(`f32x4.${better}`).get(a).get(a).simd("f32x4.ne").simd("v128.or");
    code.simd("v128.bitselect");
    code.free(a);
    code.free(b);
  };
  const scalarJoin = (left: () => void, right: () => void): void => {
    if (!extreme) return scalarOperation(code, op, type, (i) => (i === 0 ? left() : right()), [], false);
    const [a, b] = [code.local("f32"), code.local("f32")];
    left();
    code.tee(a);
    right();
    code.tee(b).get(a).get(b).op(`f32.${better}`).get(a).get(a).op("f32.ne").op("i32.or").op("select");
    code.free(a);
    code.free(b);
  };
  const part = (u: number) => () => void code.get(vector[u]);
  const all = code.local("v128");
  join(
    () => join(part(0), part(2)),
    () => join(part(1), part(3)),
  );
  code.set(all);
  const lane = (i: number) => () => void code.get(all).lane(`${shapeOf(type)}.extract_lane`, i);
  scalarJoin(
    () => scalarJoin(lane(0), lane(2)),
    () => scalarJoin(lane(1), lane(3)),
  );
  code.free(all);
  code.set((values.slot(result).scalar ??= values.local(registerType(type))));
}
