import { byteSize } from "../../dtype.ts";
import { type Kernel, laneCount, type Operand, type Stmt, type Value } from "../../kernel/kernel.ts";
import { combine, declareAccumulator, laneByLane, parts, turnParts } from "./accumulators.ts";
import type { Code, WasmType } from "./assembler.ts";
import { scalarStore, wideStore } from "./memory.ts";
import type { Slot, Target } from "./registers.ts";
import { laneBits, Registers, registerType } from "./registers.ts";
import type { Access, ForStmt } from "./statement.ts";
import { isConstant, tripCount } from "./statement.ts";

/** The parameters of a kernel's function: its pointers, the range of the parallel variable, and its length if it has one. */
export function kernelSignature(kernel: Kernel): WasmType[] {
  const rest: WasmType[] = kernel.length ? ["i32", "i32", "i32"] : ["i32", "i32"];
  return [...kernel.params.map(() => "i32" as const), ...rest];
}

/** Writes a kernel as the body of a function with `kernelSignature`. */
export function emitKernel(kernel: Kernel, code: Code, target: Target): void {
  new Emitter(kernel, code, target).run();
}

/** Writes the statements. */
class Emitter extends Registers {
  run(): void {
    const { kernel, code } = this;
    const count = kernel.params.length;
    // The parallel loop counts in the parameter `begin` itself.
    const all: Access[] = [];
    collect(kernel.body, all);
    this.addresses.root(all);
    const steps = this.addresses.enter(all, kernel.parallel, () => code.get(count));
    this.slots.set(kernel.parallel.id, { scalar: count, vector: [] });
    if (kernel.length) this.slots.set(kernel.length.id, { scalar: count + 2, vector: [] });
    code
      .block()
      .get(count)
      .get(count + 1)
      .op("i32.ge_s")
      .brIf(0)
      .loop();
    this.block(kernel.body);
    for (const { local, bytes } of steps) code.increase(local, bytes);
    code
      .get(count)
      .i32(1)
      .op("i32.add")
      .tee(count)
      .get(count + 1)
      .op("i32.lt_s")
      .brIf(0)
      .op("end")
      .op("end");
  }

  private block(stmts: readonly Stmt[]): void {
    if (this.vector && this.width > 1) {
      // Statements between inner loops are written side by side or vector by vector (few registers); the loops are written once for
      // all vectors.
      let from = 0;
      for (let i = 0; i <= stmts.length; i++) {
        if (i < stmts.length && stmts[i].kind !== "for") continue;
        const run = stmts.slice(from, i);
        if (this.facts.interleaved.has(this.vector))
          for (const s of run) for (let u = 0; u < this.width; u++) this.statement(s, u);
        else for (let u = 0; u < this.width; u++) for (const s of run) this.statement(s, u);
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
        if (this.vector) wideStore(this, s, u);
        else scalarStore(this, s, () => this.scalar(s.value));
        return;
      case "declare":
        if (this.facts.accumulators.has(s.variable.id)) {
          declareAccumulator(this, s);
          return;
        }
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
        if (!slot)
          throw new Error(
            `${this.kernel.label}: variable ${s.variable.id} is assigned before it is declared.`,
          );
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
        combine(this, s.result, s.accumulator, s.op);
        return;
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

  /** A value that all lanes share; splatted immediately if lanes need it. */
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

  /** Initialises the loop variable and the pointers that move with it. */
  private begin(s: ForStmt): { variable: number; steps: { local: number; bytes: number }[] } {
    const variable = this.local("i32");
    if (s.from) this.scalar(s.from);
    else this.code.i32(0);
    this.code.set(variable);
    const fromZero = s.from === undefined || (isConstant(s.from) && s.from.constant === 0);
    const accesses = this.facts.accesses.get(s) as readonly Access[];
    const steps = this.addresses.enter(
      accesses,
      s.variable,
      fromZero ? undefined : () => this.code.get(variable),
    );
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

  /** A loop with at least one iteration, `stride` apart, until `variable` reaches the limit. */
  private repeat(
    s: ForStmt,
    variable: number,
    steps: readonly { local: number; bytes: number }[],
    stride: number,
    limit: () => void,
    trips?: number,
    around: { enter?(): void; leave?(): void } = {},
  ): void {
    const { code } = this;
    if (trips !== 1) code.loop();
    around.enter?.();
    this.scope(() => this.block(s.body));
    around.leave?.();
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
        const part = (vectors: number, around?: Parameters<Emitter["repeat"]>[6]) => {
          const stride = 4 * vectors || 1;
          this.vector = vectors > 0 ? s : undefined;
          this.width = vectors || 1;
          if (trips !== undefined) {
            const count = Math.floor((trips - done) / stride);
            if (count === 0) return;
            done += count * stride;
            const until = start + done;
            this.repeat(s, variable, steps, stride, () => code.i32(until), count, around);
          } else {
            const bound = this.local("i32");
            limit();
            code
              .i32(stride - 1)
              .op("i32.sub")
              .set(bound);
            code.block().get(variable).get(bound).op("i32.ge_s").brIf(0);
            this.repeat(s, variable, steps, stride, () => code.get(bound), undefined, around);
            code.op("end");
          }
        };
        const sums = this.accumulatorsIn(s.body);
        if (sums.length === 0) {
          part(unroll);
          if (unroll > 1) part(1);
          part(0);
        } else {
          const rest = (trips ?? 0) % laneCount;
          const turns = unroll === 1;
          part(unroll, turns ? { leave: () => turnParts(this, sums, 1) } : undefined);
          if (!turns && rest >= 4) part(rest >> 2);
          if (rest % 4 > 0) {
            const lanes = laneByLane(this, sums, turns ? 0 : rest >> 2, rest % 4);
            part(0, lanes);
            lanes.finish();
          }
          if (turns && rest >= 4) turnParts(this, sums, parts - (rest >> 2));
        }
        this.vector = undefined;
        this.width = 1;
      }),
    );
  }

  /** The accumulators that the statements use. */
  private accumulatorsIn(stmts: readonly Stmt[]): Value[] {
    const found = stmts.flatMap((s) =>
      s.kind === "for" ? this.accumulatorsIn(s.body) : s.kind === "assign" ? [s.variable] : [],
    );
    const ids = new Map(found.map((v) => [v.id, v]));
    return [...ids.values()].filter((v) => this.facts.accumulators.has(v.id));
  }

  /** Splats loop-invariant operands once. (For constants it made no difference: V8 hoists them out of loops.) */
  private splats(s: ForStmt): void {
    const { code } = this;
    for (const x of this.facts.splats.get(s) as readonly Operand[]) {
      if (isConstant(x)) {
        const key = laneBits(x);
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
