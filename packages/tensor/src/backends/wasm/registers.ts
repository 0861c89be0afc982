import type { Compute } from "../../dtype.ts";
import type { BasicOp, Kernel, Operand, Stmt, Value } from "../../kernel/kernel.ts";
import { Addresses } from "./address.ts";
import type { Analysis } from "./analysis.ts";
import { analyse } from "./analysis.ts";
import type { Code, WasmType } from "./assembler.ts";
import { bitsOf } from "./assembler.ts";
import { scalarLoad, wideLoad } from "./memory.ts";
import { integerDivision, scalarOperation, vectorOperation } from "./operations.ts";
import type { ForStmt } from "./statement.ts";
import { isConstant } from "./statement.ts";

export const iota = [0, 1, 2, 3] as const;
export const registerType = (type: Compute): WasmType => (type === "f32" ? "f32" : "i32");

/** Where a value lives: a scalar local, one vector local per unrolled vector, and one with the scalar in all lanes. */
export interface Slot {
  scalar?: number;
  vector: number[];
  splat?: number;
}

/** Target of the code: with or without fused multiply-add, and for ARM or not (which affects only speed). */
export interface Target {
  readonly relaxed: boolean;
  readonly arm: boolean;
}

/** The values of a kernel while it is being written: which local holds each, and how to push it as a scalar or a vector. */
export class Registers {
  readonly kernel: Kernel;
  readonly code: Code;
  readonly facts: Analysis;
  readonly addresses: Addresses;
  /** The vector loop whose main part is being written, and its vectors per iteration. Undefined: scalar code. */
  vector: ForStmt | undefined;
  width = 1;
  slots = new Map<number, Slot>();
  /** Vector locals with constants, by their bits. */
  constants = new Map<number, number>();
  private owned: number[] = [];
  private readonly relaxed: boolean;

  constructor(kernel: Kernel, code: Code, target: Target) {
    this.kernel = kernel;
    this.code = code;
    this.relaxed = target.relaxed;
    this.facts = analyse(kernel, target.arm);
    const known = (x: Operand) =>
      isConstant(x) ||
      (!this.facts.mutable.has(x.id) && !this.varies(x) && this.slots.get(x.id)?.scalar !== undefined);
    const values = { push: (x: Operand) => this.scalar(x), known, local: () => this.local("i32") };
    this.addresses = new Addresses(kernel, code, values, target.arm);
  }

  varies(x: Operand): boolean {
    return (
      this.vector !== undefined &&
      !isConstant(x) &&
      (this.facts.varying.has(x.id) || this.facts.accumulators.has(x.id))
    );
  }

  local(type: WasmType): number {
    const local = this.code.local(type);
    this.owned.push(local);
    return local;
  }

  /** Runs `body` in its own scope of names and locals. */
  scope(body: () => void): void {
    const { slots, constants, owned } = this;
    this.slots = new Map(slots);
    this.constants = new Map(constants);
    this.owned = [];
    body();
    for (const local of this.owned) this.code.free(local);
    Object.assign(this, { slots, constants, owned });
  }

  slot(value: Value): Slot {
    let slot = this.slots.get(value.id);
    if (!slot) this.slots.set(value.id, (slot = { vector: [] }));
    return slot;
  }

  /** Pushes a value that is the same in all lanes (or any, in scalar code). */
  scalar(x: Operand): void {
    if (isConstant(x)) {
      if (x.type === "f32") this.code.f32(x.constant);
      else this.code.i32(x.type === "bool" ? (x.constant ? 1 : 0) : x.constant);
      return;
    }
    const source = this.facts.inline.get(x.id);
    if (source) {
      this.scalarResult(source);
      return;
    }
    const local = this.slots.get(x.id)?.scalar;
    if (local === undefined)
      throw new Error(`${this.kernel.label}: value ${x.id} is used before it is defined.`);
    this.code.get(local);
  }

  /** Pushes vector `u` of a value. */
  wide(x: Operand, u: number): void {
    const { code } = this;
    if (isConstant(x)) {
      const bits = laneBits(x);
      const local = this.constants.get(bits);
      if (local !== undefined) return void code.get(local);
      return void code.v128([bits, bits, bits, bits]);
    }
    if (x.id === this.vector?.variable.id) {
      this.scalar(x);
      return void code
        .simd("i32x4.splat")
        .v128([4 * u, 4 * u + 1, 4 * u + 2, 4 * u + 3])
        .simd("i32x4.add");
    }
    const slot = this.slots.get(x.id);
    if (!this.varies(x)) {
      if (slot?.splat !== undefined) return void code.get(slot.splat);
      this.scalar(x);
      this.spread(x.type);
      return;
    }
    const source = this.facts.inline.get(x.id);
    if (source) {
      this.wideResult(source, u);
      return;
    }
    const local = slot?.vector[u];
    if (local === undefined)
      throw new Error(`${this.kernel.label}: value ${x.id} is used before it is defined.`);
    code.get(local);
  }

  /** Turns the scalar on the stack into a vector; a bool becomes a mask. */
  spread(type: Compute): void {
    if (type === "f32") this.code.simd("f32x4.splat");
    else this.code.simd("i32x4.splat");
    if (type === "bool") this.code.simd("i32x4.neg");
  }

  scalarResult(s: Stmt): void {
    if (s.kind === "load") {
      scalarLoad(this, s);
      return;
    }
    if (s.kind !== "let") throw new Error(`${s.kind} has no result.`);
    const type = s.args[s.op === "select" ? 1 : 0].type;
    const constants = s.args.map((a) => (isConstant(a) ? a.constant : undefined));
    scalarOperation(this.code, s.op, type, (i) => this.scalar(s.args[i]), constants, this.relaxed);
  }

  wideResult(s: Stmt, u: number): void {
    if (s.kind === "load") {
      wideLoad(this, s, u);
      return;
    }
    if (s.kind !== "let") throw new Error(`${s.kind} has no result.`);
    const { code } = this;
    const type = s.args[s.op === "select" ? 1 : 0].type;
    if (s.op === "shl" || s.op === "shr") {
      if (this.varies(s.args[1])) {
        this.laneByLane(s.op, type, s.args, u);
        return;
      }
      this.wide(s.args[0], u);
      this.scalar(s.args[1]);
      return void code.simd(s.op === "shl" ? "i32x4.shl" : type === "i32" ? "i32x4.shr_s" : "i32x4.shr_u");
    }
    if (!vectorOperation(code, s.op, type, (i) => this.wide(s.args[i], u), this.relaxed))
      this.laneByLane(s.op, type, s.args, u);
  }

  /** Integer division and shifts by varying amounts have no vector form. */
  private laneByLane(op: BasicOp, type: Compute, args: readonly Operand[], u: number): void {
    const { code } = this;
    const inputs = args.map((a) => {
      if (isConstant(a)) return undefined;
      const local = code.local("v128");
      this.wide(a, u);
      code.set(local);
      return local;
    });
    const result = code.local("v128");
    const divisor = args[1] && isConstant(args[1]) ? args[1].constant : undefined;
    for (const lane of iota) {
      const push = (i: number) => {
        const input = inputs[i];
        if (input === undefined) this.scalar(args[i]);
        else code.get(input).lane("i32x4.extract_lane", lane);
      };
      if (lane > 0) code.get(result);
      if (op === "div" || op === "rem") integerDivision(code, op, type, push, divisor);
      else scalarOperation(code, op, type, push, [], this.relaxed);
      if (lane > 0) code.lane("i32x4.replace_lane", lane);
      else code.simd("i32x4.splat");
      if (lane < 3) code.set(result);
    }
    for (const local of [...inputs, result]) if (local !== undefined) code.free(local);
  }
}

/** The bits in each lane of a constant; true is a mask. */
export function laneBits(x: Extract<Operand, { constant: number }>): number {
  return x.type === "f32" ? bitsOf(x.constant) : x.type === "bool" ? (x.constant ? -1 : 0) : x.constant | 0;
}
