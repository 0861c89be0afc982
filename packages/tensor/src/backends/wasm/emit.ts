import type { Compute } from "../../dtype.ts";
import { byteSize } from "../../dtype.ts";
import type { BasicOp, CombineOp, Kernel, Operand, Stmt, Value } from "../../kernel/kernel.ts";
import { Addresses } from "./address.ts";
import type { Access, Analysis, ForStmt } from "./analysis.ts";
import { analyse, coefficient, isConstant, tripCount } from "./analysis.ts";
import type { Code, WasmType } from "./assembler.ts";
import { bitsOf } from "./assembler.ts";
import { integerDivision, scalarOperation, vectorOperation } from "./operations.ts";

const iota = [0, 1, 2, 3] as const;
const registerType = (type: Compute): WasmType => (type === "f32" ? "f32" : "i32");

/** Where a value lives: a scalar local, and one vector local per unrolled vector (or one for all when lanes agree). */
interface Slot {
  scalar?: number;
  vector: number[];
  splat?: number;
}

/** The parameters of a kernel's function: its pointers, then the range of the parallel variable. */
export function kernelSignature(kernel: Kernel): WasmType[] {
  return [...kernel.params.map(() => "i32" as const), "i32", "i32"];
}

/** Writes a kernel as the body of a function with `kernelSignature`. */
export function emitKernel(kernel: Kernel, code: Code, relaxed: boolean): void {
  new Emitter(kernel, code, relaxed).run();
}

class Emitter {
  private readonly kernel: Kernel;
  private readonly code: Code;
  private readonly relaxed: boolean;
  private readonly facts: Analysis;
  private readonly addresses: Addresses;
  private slots = new Map<number, Slot>();
  private constants = new Map<string, number>();
  private owned: number[] = [];
  /** The vector loop whose main part is being written, and its vectors per iteration. Undefined: scalar code. */
  private vector: ForStmt | undefined;
  private width = 1;

  constructor(kernel: Kernel, code: Code, relaxed: boolean) {
    this.kernel = kernel;
    this.code = code;
    this.relaxed = relaxed;
    this.facts = analyse(kernel);
    this.addresses = new Addresses(kernel, code, {
      push: (x) => this.scalar(x),
      known: (x) => isConstant(x) || (!this.facts.mutable.has(x.id) && !this.varies(x) && this.slots.get(x.id)?.scalar !== undefined),
    });
  }

  run(): void {
    const { kernel, code } = this;
    const count = kernel.params.length;
    // The parallel loop counts in the parameter `begin` itself.
    const all: Access[] = [];
    collect(kernel.body, all);
    this.addresses.root(all);
    const steps = this.addresses.enter(all, kernel.parallel, () => code.get(count));
    this.slots.set(kernel.parallel.id, { scalar: count, vector: [] });
    code.block().get(count).get(count + 1).op("i32.ge_s").brIf(0).loop();
    this.block(kernel.body);
    for (const { local, bytes } of steps) code.increase(local, bytes);
    code.get(count).i32(1).op("i32.add").tee(count).get(count + 1).op("i32.lt_s").brIf(0).op("end").op("end");
  }

  // Values

  private varies(x: Operand): boolean {
    return this.vector !== undefined && !isConstant(x) && (this.facts.varying.has(x.id) || this.facts.accumulators.has(x.id));
  }

  private local(type: WasmType): number {
    const local = this.code.local(type);
    this.owned.push(local);
    return local;
  }

  /** Runs `body` with its own names and locals, given back afterwards. */
  private scope(body: () => void): void {
    const { slots, constants, owned } = this;
    this.slots = new Map(slots);
    this.constants = new Map(constants);
    this.owned = [];
    body();
    for (const local of this.owned) this.code.free(local);
    Object.assign(this, { slots, constants, owned });
  }

  private slot(value: Value): Slot {
    let slot = this.slots.get(value.id);
    if (!slot) this.slots.set(value.id, (slot = { vector: [] }));
    return slot;
  }

  /** Pushes a value that is the same in all lanes (or any, in scalar code). */
  private scalar(x: Operand): void {
    if (isConstant(x)) {
      if (x.type === "f32") this.code.f32(x.constant);
      else this.code.i32(x.type === "bool" ? (x.constant ? 1 : 0) : x.constant);
      return;
    }
    const source = this.facts.inline.get(x.id);
    if (source) return this.scalarResult(source);
    const local = this.slots.get(x.id)?.scalar;
    if (local === undefined) throw new Error(`${this.kernel.label}: value ${x.id} is used before it is defined.`);
    this.code.get(local);
  }

  /** Pushes vector `u` of a value. */
  private wide(x: Operand, u: number): void {
    const { code } = this;
    if (isConstant(x)) {
      const local = this.constants.get(constantKey(x));
      if (local !== undefined) return void code.get(local);
      const bits = x.type === "f32" ? bitsOf(x.constant) : x.type === "bool" ? (x.constant ? -1 : 0) : x.constant | 0;
      return void code.v128([bits, bits, bits, bits]);
    }
    if (x.id === this.vector?.variable.id) {
      this.scalar(x);
      return void code.simd("i32x4.splat").v128([4 * u, 4 * u + 1, 4 * u + 2, 4 * u + 3]).simd("i32x4.add");
    }
    const slot = this.slots.get(x.id);
    if (!this.varies(x)) {
      if (slot?.splat !== undefined) return void code.get(slot.splat);
      this.scalar(x);
      return this.spread(x.type);
    }
    const source = this.facts.inline.get(x.id);
    if (source) return this.wideResult(source, u);
    const local = slot?.vector[u];
    if (local === undefined) throw new Error(`${this.kernel.label}: value ${x.id} is used before it is defined.`);
    code.get(local);
  }

  /** Turns the scalar on the stack into a vector; a bool becomes a mask. */
  private spread(type: Compute): void {
    if (type === "f32") this.code.simd("f32x4.splat");
    else this.code.simd("i32x4.splat");
    if (type === "bool") this.code.simd("i32x4.neg");
  }

  // Results of let and load

  private scalarResult(s: Stmt): void {
    if (s.kind === "load") return this.scalarLoad(s);
    if (s.kind !== "let") throw new Error(`${s.kind} has no result.`);
    const type = s.args[s.op === "select" ? 1 : 0].type;
    const constants = s.args.map((a) => (isConstant(a) ? a.constant : undefined));
    scalarOperation(this.code, s.op, type, (i) => this.scalar(s.args[i]), constants);
  }

  private wideResult(s: Stmt, u: number): void {
    if (s.kind === "load") return this.wideLoad(s, u);
    if (s.kind !== "let") throw new Error(`${s.kind} has no result.`);
    const { code } = this;
    const type = s.args[s.op === "select" ? 1 : 0].type;
    if (s.op === "shl" || s.op === "shr") {
      if (this.varies(s.args[1])) return this.laneByLane(s.op, type, s.args, u);
      this.wide(s.args[0], u);
      this.scalar(s.args[1]);
      return void code.simd(s.op === "shl" ? "i32x4.shl" : type === "i32" ? "i32x4.shr_s" : "i32x4.shr_u");
    }
    if (!vectorOperation(code, s.op, type, (i) => this.wide(s.args[i], u), this.relaxed)) this.laneByLane(s.op, type, s.args, u);
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
      else scalarOperation(code, op, type, push, []);
      if (lane > 0) code.lane("i32x4.replace_lane", lane);
      else code.simd("i32x4.splat");
      if (lane < 3) code.set(result);
    }
    for (const local of [...inputs, result]) if (local !== undefined) code.free(local);
  }

  // Memory

  private scalarLoad(s: Extract<Stmt, { kind: "load" }>): void {
    const storage = this.kernel.params[s.param].storage;
    const offset = this.addresses.push(s, 0);
    if (storage === "f32") this.code.memory("f32.load", offset);
    else if (byteSize(storage) === 4) this.code.memory("i32.load", offset);
    else this.code.memory("i32.load8_u", offset);
    if (storage === "bool") this.code.i32(0).op("i32.ne");
  }

  private scalarStore(s: Extract<Stmt, { kind: "store" }>, value: () => void): void {
    const storage = this.kernel.params[s.param].storage;
    const offset = this.addresses.push(s, 0);
    value();
    this.code.memory(storage === "f32" ? "f32.store" : byteSize(storage) === 4 ? "i32.store" : "i32.store8", offset);
  }

  private dynamicVaries(s: Access): boolean {
    return s.index.dynamic?.some((d) => this.varies(d.value)) ?? false;
  }

  private indexVaries(s: Access): boolean {
    return coefficient(s.index, (this.vector as ForStmt).variable) !== 0 || this.dynamicVaries(s);
  }

  /** Leaves the addresses of vector `u`'s four elements in a vector local. */
  private laneAddresses(s: Access, u: number): number {
    const { code } = this;
    const size = byteSize(this.kernel.params[s.param].storage);
    const step = coefficient(s.index, (this.vector as ForStmt).variable) * size;
    this.addresses.pushUniform(s, (x) => this.varies(x));
    code.simd("i32x4.splat");
    if (step !== 0) code.v128(iota.map((lane) => (4 * u + lane) * step) as [number, number, number, number]).simd("i32x4.add");
    for (const d of s.index.dynamic ?? []) {
      if (!this.varies(d.value)) continue;
      const scale = d.coefficient * size;
      this.wide(d.value, u);
      if (scale !== 1) code.v128([scale, scale, scale, scale]).simd("i32x4.mul");
      code.simd("i32x4.add");
    }
    const local = code.local("v128");
    code.set(local);
    return local;
  }

  private wideLoad(s: Extract<Stmt, { kind: "load" }>, u: number): void {
    const { code } = this;
    const storage = this.kernel.params[s.param].storage;
    const size = byteSize(storage);
    const step = coefficient(s.index, (this.vector as ForStmt).variable);
    if (!this.dynamicVaries(s) && step === 1) {
      const offset = this.addresses.push(s, 4 * u, this.vector?.variable);
      if (size === 4) return void code.memory("v128.load", offset);
      code.memory("v128.load32_zero", offset).simd("i16x8.extend_low_i8x16_u").simd("i32x4.extend_low_i16x8_u");
    } else {
      const lanes = this.dynamicVaries(s) ? this.laneAddresses(s, u) : undefined;
      const address = (lane: number) => {
        if (lanes === undefined) return this.addresses.push(s, 4 * u + lane, this.vector?.variable);
        code.get(lanes).lane("i32x4.extract_lane", lane);
        return 0;
      };
      if (size === 4) {
        const result = code.local("v128");
        code.memory("v128.load32_splat", address(0)).set(result);
        for (const lane of [1, 2, 3]) {
          const offset = address(lane);
          code.get(result).laneMemory("v128.load32_lane", lane, offset);
          if (lane < 3) code.set(result);
        }
        code.free(result);
      } else {
        code.memory("i32.load8_u", address(0)).simd("i32x4.splat");
        for (const lane of [1, 2, 3]) code.memory("i32.load8_u", address(lane)).lane("i32x4.replace_lane", lane);
      }
      if (lanes !== undefined) code.free(lanes);
    }
    if (storage === "bool") code.v128([0, 0, 0, 0]).simd("i32x4.ne");
  }

  private wideStore(s: Extract<Stmt, { kind: "store" }>, u: number): void {
    const { code } = this;
    const storage = this.kernel.params[s.param].storage;
    const float = s.value.type === "f32";
    if (!this.indexVaries(s)) {
      // All lanes write one element: the last one stays.
      if (u < this.width - 1) return;
      if (!this.varies(s.value)) return this.scalarStore(s, () => this.scalar(s.value));
      return this.scalarStore(s, () => {
        this.wide(s.value, u);
        code.lane(float ? "f32x4.extract_lane" : "i32x4.extract_lane", 3);
        if (s.value.type === "bool") code.i32(1).op("i32.and");
      });
    }
    const step = coefficient(s.index, (this.vector as ForStmt).variable);
    const value = () => {
      this.wide(s.value, u);
      if (s.value.type === "bool") code.v128([1, 1, 1, 1]).simd("v128.and");
    };
    if (!this.dynamicVaries(s) && step === 1) {
      const offset = this.addresses.push(s, 4 * u, this.vector?.variable);
      value();
      if (byteSize(storage) === 4) return void code.memory("v128.store", offset);
      const vector = code.local("v128");
      // The low byte of each lane; the other twelve bytes do not matter.
      code.tee(vector).get(vector).shuffle([0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12]).laneMemory("v128.store32_lane", 0, offset);
      return code.free(vector);
    }
    const vector = code.local("v128");
    value();
    code.set(vector);
    const lanes = this.dynamicVaries(s) ? this.laneAddresses(s, u) : undefined;
    for (const lane of iota) {
      let offset = 0;
      if (lanes === undefined) offset = this.addresses.push(s, 4 * u + lane, this.vector?.variable);
      else code.get(lanes).lane("i32x4.extract_lane", lane);
      code.get(vector).lane(float ? "f32x4.extract_lane" : "i32x4.extract_lane", lane);
      code.memory(storage === "f32" ? "f32.store" : byteSize(storage) === 4 ? "i32.store" : "i32.store8", offset);
    }
    code.free(vector);
    if (lanes !== undefined) code.free(lanes);
  }

  // Statements

  private block(stmts: readonly Stmt[]): void {
    if (this.vector && this.width > 1) {
      // Runs between inner loops are written vector by vector (few registers), the loops once for all vectors.
      let from = 0;
      for (let i = 0; i <= stmts.length; i++) {
        if (i < stmts.length && stmts[i].kind !== "for") continue;
        for (let u = 0; u < this.width; u++) for (let j = from; j < i; j++) this.statement(stmts[j], u);
        if (i < stmts.length) this.statement(stmts[i], 0);
        from = i + 1;
      }
    } else for (const s of stmts) this.statement(s, 0);
  }

  private statement(s: Stmt, u: number): void {
    const { code } = this;
    switch (s.kind) {
      case "let":
      case "load": {
        if (this.facts.inline.has(s.result.id)) return;
        const slot = this.slot(s.result);
        if (this.varies(s.result)) {
          this.wideResult(s, u);
          code.set((slot.vector[u] ??= this.local("v128")));
        } else if (u === 0) this.uniform(s, slot);
        return;
      }
      case "store":
        if (this.vector) this.wideStore(s, u);
        else this.scalarStore(s, () => this.scalar(s.value));
        return;
      case "declare":
        if (s.lanes) return this.declareAccumulator(s);
        if (this.vector) {
          this.wide(s.init, u);
          code.set((this.slot(s.variable).vector[u] ??= this.local("v128")));
        } else {
          this.scalar(s.init);
          code.set((this.slot(s.variable).scalar ??= this.local(registerType(s.variable.type))));
        }
        return;
      case "assign": {
        const slot = this.slots.get(s.variable.id);
        if (!slot) throw new Error(`${this.kernel.label}: variable ${s.variable.id} is assigned before it is declared.`);
        if (this.vector) {
          this.wide(s.value, u);
          code.set(slot.vector[u]);
        } else {
          this.scalar(s.value);
          code.set(slot.scalar as number);
        }
        return;
      }
      case "combine":
        return this.combine(s.result, s.accumulator, s.op);
      case "if":
        this.scalar(s.condition);
        code.if();
        this.scope(() => this.block(s.then));
        if (s.else) {
          code.op("else");
          this.scope(() => this.block(s.else as readonly Stmt[]));
        }
        code.op("end");
        return;
      case "while":
        code.block().loop();
        this.scope(() => {
          this.block(s.test);
          this.scalar(s.condition);
          code.op("i32.eqz").brIf(1);
          this.block(s.body);
        });
        code.br(0).op("end").op("end");
        return;
      case "for":
        if (s.vector && (this.facts.unroll.get(s) as number) > 0) this.vectorLoop(s);
        else this.scalarLoop(s);
    }
  }

  /** A value that all lanes share; splatted at once when lanes need it. */
  private uniform(s: Extract<Stmt, { kind: "let" | "load" }>, slot: Slot): void {
    const { code } = this;
    const splat = this.vector !== undefined && this.facts.splatted.has(s.result.id);
    if (splat && s.kind === "load" && !this.facts.scalar.has(s.result.id)) {
      const storage = this.kernel.params[s.param].storage;
      if (byteSize(storage) === 4) {
        const offset = this.addresses.push(s, 0);
        return void code.memory("v128.load32_splat", offset).set((slot.splat = this.local("v128")));
      }
    }
    this.scalarResult(s);
    slot.scalar = this.local(registerType(s.result.type));
    if (!splat) return void code.set(slot.scalar);
    code.tee(slot.scalar);
    this.spread(s.result.type);
    code.set((slot.splat = this.local("v128")));
  }

  private declareAccumulator(s: Extract<Stmt, { kind: "declare" }>): void {
    const { code } = this;
    const { vectors, scalar } = this.facts.accumulators.get(s.variable.id) as { vectors: number; scalar: boolean };
    const slot = this.slot(s.variable);
    if (scalar || vectors === 0) {
      this.scalar(s.init);
      code.set((slot.scalar = this.local(registerType(s.variable.type))));
    }
    for (let u = 0; u < vectors; u++) {
      slot.vector[u] = this.local("v128");
      if (u === 0) {
        this.scalar(s.init);
        this.spread(s.init.type);
      } else code.get(slot.vector[0]);
      code.set(slot.vector[u]);
    }
  }

  /** Vectors pairwise, then lanes (0, 1) and (2, 3), then the scalar rest. */
  private combine(result: Value, accumulator: Value, op: CombineOp): void {
    const { code } = this;
    const type = accumulator.type;
    const slot = this.slots.get(accumulator.id);
    if (!slot) throw new Error(`${this.kernel.label}: accumulator ${accumulator.id} is combined before it is declared.`);
    const join = (from: number, to: number): void => {
      if (to - from === 1) return void code.get(slot.vector[from]);
      const middle = (from + to) >> 1;
      vectorOperation(code, op, type, (i) => (i === 0 ? join(from, middle) : join(middle, to)), false);
    };
    const scalarJoin = (left: () => void, right: () => void) =>
      scalarOperation(code, op, type, (i) => (i === 0 ? left() : right()), []);
    if (slot.vector.length > 0) {
      const all = code.local("v128");
      join(0, slot.vector.length);
      code.set(all);
      const lane = (i: number) => () => void code.get(all).lane(type === "f32" ? "f32x4.extract_lane" : "i32x4.extract_lane", i);
      const lanes = () => scalarJoin(() => scalarJoin(lane(0), lane(1)), () => scalarJoin(lane(2), lane(3)));
      const rest = slot.scalar;
      if (rest === undefined) lanes();
      else scalarJoin(lanes, () => void code.get(rest));
      code.free(all);
    } else code.get(slot.scalar as number);
    code.set((this.slot(result).scalar ??= this.local(registerType(type))));
  }

  // Loops

  /** The loop's variable, set to where it starts, and the pointers that move with it. */
  private begin(s: ForStmt): { variable: number; steps: { local: number; bytes: number }[] } {
    const variable = this.local("i32");
    if (s.from) this.scalar(s.from);
    else this.code.i32(0);
    this.code.set(variable);
    const fromZero = s.from === undefined || (isConstant(s.from) && s.from.constant === 0);
    const accesses = this.facts.accesses.get(s) as readonly Access[];
    const steps = this.addresses.enter(accesses, s.variable, fromZero ? undefined : () => this.code.get(variable), this.owned);
    this.slots.set(s.variable.id, { scalar: variable, vector: [] });
    return { variable, steps };
  }

  private limit(s: ForStmt): () => void {
    const { extent } = s;
    if (typeof extent === "number") return () => void this.code.i32(extent);
    if (isConstant(extent)) return () => void this.code.i32(extent.constant);
    const local = this.local("i32");
    this.scalar(extent);
    this.code.set(local);
    return () => void this.code.get(local);
  }

  private scalarLoop(s: ForStmt): void {
    const { code } = this;
    const trips = tripCount(s);
    if (trips === 0) return;
    this.addresses.scope(() =>
      this.scope(() => {
        const limit = this.limit(s);
        const { variable, steps } = this.begin(s);
        if (trips === undefined) {
          code.block().get(variable);
          limit();
          code.op("i32.ge_s").brIf(0);
        }
        this.repeat(s, variable, steps, 1, limit, trips);
        if (trips === undefined) code.op("end");
      }),
    );
  }

  /** A loop that has at least one iteration, `stride` apart, until `variable` reaches the limit. */
  private repeat(
    s: ForStmt, variable: number, steps: readonly { local: number; bytes: number }[], stride: number, limit: () => void, trips?: number,
  ): void {
    const { code } = this;
    if (trips !== 1) code.loop();
    this.scope(() => this.block(s.body));
    for (const { local, bytes } of steps) code.increase(local, bytes * stride);
    code.get(variable).i32(stride).op("i32.add");
    if (trips === 1) return void code.set(variable);
    code.tee(variable);
    limit();
    code.op("i32.lt_s").brIf(0).op("end");
  }

  private vectorLoop(s: ForStmt): void {
    const { code } = this;
    const trips = tripCount(s);
    const unroll = this.facts.unroll.get(s) as number;
    this.addresses.scope(() =>
      this.scope(() => {
        const limit = this.limit(s);
        const { variable, steps } = this.begin(s);
        this.splats(s);
        const start = s.from && isConstant(s.from) ? s.from.constant : 0;
        let done = 0;
        const part = (vectors: number) => {
          const stride = 4 * vectors || 1;
          this.vector = vectors > 0 ? s : undefined;
          this.width = vectors || 1;
          if (trips !== undefined) {
            const count = Math.floor((trips - done) / stride);
            if (count === 0) return;
            done += count * stride;
            const until = start + done;
            this.repeat(s, variable, steps, stride, () => code.i32(until), count);
          } else {
            const bound = this.local("i32");
            limit();
            code.i32(stride - 1).op("i32.sub").set(bound);
            code.block().get(variable).get(bound).op("i32.ge_s").brIf(0);
            this.repeat(s, variable, steps, stride, () => code.get(bound));
            code.op("end");
          }
        };
        part(unroll);
        if (unroll > 1) part(1);
        part(0);
        this.vector = undefined;
        this.width = 1;
      }),
    );
  }

  /** Spreads what comes from outside over the lanes once: the engine does not move it out of the loop. */
  private splats(s: ForStmt): void {
    const { code } = this;
    for (const x of this.facts.splats.get(s) as readonly Operand[]) {
      if (isConstant(x)) {
        const key = constantKey(x);
        if (this.constants.has(key)) continue;
        this.wide(x, 0);
        const local = this.local("v128");
        code.set(local);
        this.constants.set(key, local);
      } else {
        const slot = this.slots.get(x.id);
        if (!slot || slot.splat !== undefined || this.facts.accumulators.has(x.id)) continue;
        this.scalar(x);
        this.spread(x.type);
        const local = this.local("v128");
        code.set(local);
        this.slots.set(x.id, { ...slot, splat: local });
      }
    }
  }
}

const constantKey = (x: Extract<Operand, { constant: number }>) =>
  `${x.type === "f32" ? bitsOf(x.constant) : x.type === "bool" ? (x.constant ? -1 : 0) : x.constant | 0}`;

function collect(stmts: readonly Stmt[], into: Access[]): void {
  for (const s of stmts) {
    if (s.kind === "load" || s.kind === "store") into.push(s);
    else if (s.kind === "for") collect(s.body, into);
    else if (s.kind === "if") {
      collect(s.then, into);
      if (s.else) collect(s.else, into);
    } else if (s.kind === "while") {
      collect(s.test, into);
      collect(s.body, into);
    }
  }
}
