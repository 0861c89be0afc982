import type { Compute } from "../../dtype.ts";
import { type Kernel, laneCount, type Operand, type Stmt, type Value } from "../../kernel/kernel.ts";
import { Hazards } from "../grid/hazards.ts";
import { Access, type Home, room } from "./access.ts";
import { fold, letter, nameOf, operation, typeName } from "./operations.ts";
import type { Shape } from "./shape.ts";

/**
 * Writes a kernel's statements. WGSL allows barriers only where all invocations of a workgroup provably arrive, so conditions and extents
 * around a barrier are made uniform: the first invocation's value is passed to the others, which have the same one. That needs a group
 * that is a workgroup of its own (`joint`).
 */
export class StatementWriter {
  readonly lines: string[] = [];
  /** Lets the invocations of a workgroup see each other's stores. */
  readonly barrier: string;
  /** Whether a condition had to be made uniform. */
  joint = false;
  /** Types whose lanes are combined: each needs an array of the workgroup. */
  readonly combined = new Set<Compute>();
  private readonly access: Access;
  private readonly shape: Shape;
  private readonly hazards: Hazards;
  /** Values that WGSL can see to be equal in the whole workgroup. */
  private readonly uniform = new Set<number>();
  /** Whether an invocation alone executes the statements being written: in a vector loop, or if it is its own group. */
  private alone: boolean;
  private count = 0;

  /** `packed`: several groups share a workgroup. */
  constructor(kernel: Kernel, shape: Shape, homes: readonly Home[], packed: boolean) {
    this.access = new Access(kernel.params, homes);
    this.barrier = homes.some((h) => h.name === room)
      ? "storageBarrier(); workgroupBarrier();"
      : "storageBarrier();";
    this.shape = shape;
    this.hazards = new Hazards(kernel);
    this.alone = shape.kind === "threads";
    if (kernel.length) this.uniform.add(kernel.length.id);
    if (!packed) this.uniform.add(kernel.parallel.id);
  }

  statements(list: readonly Stmt[]): void {
    for (const s of list) this.statement(s);
  }

  private statement(s: Stmt): void {
    const { lines } = this;
    if (!this.alone && (s.kind === "load" || s.kind === "store" || (s.kind === "for" && s.vector)))
      this.waitFor(s);
    switch (s.kind) {
      case "let":
        if (s.args.every((o) => this.isUniform(o))) this.uniform.add(s.result.id);
        lines.push(`let ${declared(s.result)} = ${operation(s.op, s.args)};`);
        return;
      case "load":
        lines.push(`let ${declared(s.result)} = ${this.access.load(s.param, s.index)};`);
        return;
      case "store": {
        const store = this.access.store(s.param, s.index, nameOf(s.value));
        lines.push(this.alone ? store : `if (first) { ${store} }`);
        return;
      }
      case "declare":
        lines.push(`var ${declared(s.variable)} = ${nameOf(s.init)};`);
        return;
      case "assign":
        lines.push(`v${s.variable.id} = ${nameOf(s.value)};`);
        return;
      case "combine":
        this.combine(s);
        return;
      case "for":
        this.loop(s);
        return;
      case "if":
        this.branch(s);
        return;
      case "while":
        this.repeat(s);
        return;
    }
  }

  private isUniform = (o: Operand): boolean => !("id" in o) || this.uniform.has(o.id);

  private waitFor(s: Stmt): void {
    if (this.shape.kind === "groups" && this.hazards.touch(s)) this.lines.push(this.barrier);
  }

  private loop(s: Extract<Stmt, { kind: "for" }>): void {
    const { lines, alone } = this;
    const v = `v${s.variable.id}`;
    const bound = (o: number | Operand) => (typeof o === "number" ? `${o}i` : nameOf(o));
    if (s.vector && !alone) {
      const step = this.shape.kind === "groups" ? `${this.shape.width}i` : "step";
      const own = this.shape.kind === "groups" ? " & live" : "";
      const start = `${bound(s.from ?? 0)} + lane`;
      lines.push(`for (var ${v} = ${start}; (${v} < ${bound(s.extent)})${own}; ${v} += ${step}) {`);
      this.alone = true;
      this.statements(s.body);
      this.alone = alone;
      lines.push("}");
      return;
    }
    const edge = (o: number | Operand) =>
      typeof o === "number" || alone || this.isUniform(o) ? bound(o) : this.shared(nameOf(o), "i32");
    const [from, to] = waits(s.body)
      ? [edge(s.from ?? 0), edge(s.extent)]
      : [bound(s.from ?? 0), bound(s.extent)];
    const known = (o: number | Operand | undefined) => typeof o !== "object" || this.isUniform(o);
    // A bound that was made uniform counts as well, if there was a need for it.
    if ((known(s.from) && known(s.extent)) || (waits(s.body) && !alone)) this.uniform.add(s.variable.id);
    lines.push(`for (var ${v} = ${from}; ${v} < ${to}; ${v}++) {`);
    this.again(s.body, () => this.statements(s.body));
    lines.push("}");
  }

  private repeat(s: Extract<Stmt, { kind: "while" }>): void {
    const { lines } = this;
    const all = [...s.test, ...s.body];
    lines.push("loop {");
    this.again(all, () => {
      this.statements(s.test);
      lines.push(`if (!${this.condition(s.condition, all)}) { break; }`);
      this.statements(s.body);
    });
    lines.push("}");
  }

  /** A condition of statements, uniform if they may contain a barrier. */
  private condition(o: Operand, body: readonly Stmt[]): string {
    if (this.alone || this.isUniform(o) || !waits(body)) return nameOf(o);
    return `(${this.shared(`select(0, 1, ${nameOf(o)})`, "i32")} != 0)`;
  }

  /** The value of an expression as one that WGSL sees to be uniform. */
  private shared(text: string, type: "i32"): string {
    this.joint = true;
    const name = `u${this.count++}`;
    this.lines.push(
      `if (thread == 0u) { joint = ${text}; }`,
      `let ${name}: ${type} = workgroupUniformLoad(&joint);`,
    );
    return name;
  }

  /** A body that runs any number of times. */
  private again(body: readonly Stmt[], write: () => void): void {
    if (this.alone) write();
    else this.hazards.again(body, write);
  }

  private branch(s: Extract<Stmt, { kind: "if" }>): void {
    const { lines, hazards } = this;
    const before = hazards.now();
    lines.push(`if (${this.condition(s.condition, [...s.then, ...(s.else ?? [])])}) {`);
    this.statements(s.then);
    const after = hazards.now();
    hazards.restore(before);
    if (s.else) {
      lines.push("} else {");
      this.statements(s.else);
    }
    hazards.merge(after);
    lines.push("}");
  }

  /** Reduces the lanes of an accumulator by halves. Every invocation of the group computes the result. */
  private combine(s: Extract<Stmt, { kind: "combine" }>): void {
    const { type } = s.accumulator;
    this.combined.add(type);
    const [array, c] = [`lanes_${letter[type]}`, `c${s.result.id}`];
    let names = Array.from({ length: laneCount }, (_, l) => `${array}[group * ${laneCount}u + ${l}u]`);
    this.lines.push(`${array}[thread] = v${s.accumulator.id};`, "workgroupBarrier();");
    for (let half = laneCount / 2; half >= 1; half /= 2)
      names = names.slice(0, half).map((n, l) => {
        const name = half === 1 ? `v${s.result.id}` : `${c}_${half}_${l}`;
        this.lines.push(`let ${name} = ${fold(s.op, type, n, names[l + half])};`);
        return name;
      });
    this.lines.push("workgroupBarrier();");
  }
}

/** Whether statements of a group may contain a barrier. */
function waits(list: readonly Stmt[]): boolean {
  return list.some(
    (s) =>
      s.kind === "load" ||
      s.kind === "store" ||
      s.kind === "combine" ||
      s.kind === "while" ||
      (s.kind === "for" && (s.vector || waits(s.body))) ||
      (s.kind === "if" && waits([...s.then, ...(s.else ?? [])])),
  );
}

const declared = (v: Value): string => `v${v.id}: ${typeName[v.type]}`;
