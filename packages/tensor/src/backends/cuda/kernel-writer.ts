import { computeType } from "../../dtype.ts";
import { type Index, type Kernel, laneCount, type Stmt } from "../../kernel/kernel.ts";
import { Hazards } from "../grid/hazards.ts";
import { tripCount } from "../native/analysis.ts";
import { scalarType } from "../native/names.ts";
import { adjacentOf, adjacentText, alignedText, together } from "./adjacent.ts";
import { aheadLoop, aheadOf } from "./ahead.ts";
import { type ColumnLoop, storesLast } from "./columns.ts";
import { combineStaged, combineText, maskOf } from "./combine.ts";
import { nameOf, scalarText } from "./scalar.ts";
import type { Shape } from "./shape.ts";
import { stagedLoop } from "./staged-sum.ts";

/** Writes the statements of a kernel as CUDA text. */
export class KernelWriter {
  readonly lines: string[] = [];
  /** Lets the threads of a group see each other's stores. */
  readonly barrier: string;
  readonly params: Kernel["params"];
  readonly indexText = indexText;
  readonly nameOf = nameOf;
  /** Whether each thread has its own columns, so that none waits for another. */
  private readonly columns: boolean;
  private readonly shape: Shape;
  private readonly staged: boolean;
  private readonly hazards: Hazards;
  /** Whether a loop over columns surrounds the statements being written. */
  private inside = false;
  /** Whether a thread alone executes the statements being written: in a vector loop, or if it is its own group. */
  private alone: boolean;
  /** Whether terms of sums may be added in any order. */
  private readonly anyOrder: boolean;

  constructor(kernel: Kernel, shape: Shape, anyOrder: boolean) {
    this.params = kernel.params;
    this.anyOrder = anyOrder;
    this.columns = kernel.columns ?? false;
    this.shape = shape;
    this.staged = shape.kind === "groups" && shape.staged === true;
    this.hazards = new Hazards(kernel);
    this.alone = shape.kind === "threads";
    this.barrier =
      shape.kind !== "groups"
        ? ""
        : shape.width <= 32
          ? `__syncwarp(${maskOf(shape.width)});`
          : "__syncthreads();";
  }

  statements(list: readonly Stmt[]): void {
    for (const s of list) this.statement(s);
  }

  /** A loop over columns, whose scratch memory is variables. */
  columnsOf({ before, each, loop }: ColumnLoop): void {
    const { lines } = this;
    this.alone = true;
    this.inside = true;
    this.statements(before);
    const { from, to } = boundsOf(loop);
    lines.push(`for (i32 column = ${from} + lane; column < ${to}; column += ${widthOf(this.shape)}) {`);
    this.params.forEach((p, i) => {
      if (p.scratch) lines.push(`${scalarType[computeType(p.storage)]} s${i};`);
    });
    this.statements(each);
    lines.push("}");
  }

  /** The text of an element in memory, or of the variable in its place. */
  private elementOf({ param, index }: Extract<Stmt, { kind: "load" | "store" }>): string {
    return this.inside && this.params[param].scratch ? `s${param}` : `p${param}[${indexText(index)}]`;
  }

  private statement(s: Stmt): void {
    const { lines } = this;
    if (!this.alone && (s.kind === "load" || s.kind === "store" || (s.kind === "for" && s.vector)))
      this.waitFor(s);
    switch (s.kind) {
      case "let": {
        const type = s.op === "select" ? s.args[1].type : s.args[0].type;
        const last = s.args[s.args.length - 1];
        const constant = "constant" in last ? last.constant : undefined;
        const value = scalarText(s, type, constant);
        lines.push(`const ${scalarType[s.result.type]} v${s.result.id} = ${value};`);
        return;
      }
      case "load": {
        const { storage, half } = this.params[s.param];
        const element = this.elementOf(s);
        const variable = this.inside && this.params[s.param].scratch;
        const value = half
          ? `widened(${element})`
          : storage === "bool" && !variable
            ? `${element} != 0`
            : element;
        lines.push(`const ${scalarType[computeType(storage)]} v${s.result.id} = ${value};`);
        return;
      }
      case "store": {
        const value = this.params[s.param].half ? `halved(${nameOf(s.value)})` : nameOf(s.value);
        const store = `${this.elementOf(s)} = ${value};`;
        lines.push(this.alone ? store : `if (lane == 0) ${store}`);
        return;
      }
      case "declare":
        lines.push(`${scalarType[s.variable.type]} v${s.variable.id} = ${nameOf(s.init)};`);
        return;
      case "assign":
        lines.push(`v${s.variable.id} = ${nameOf(s.value)};`);
        return;
      case "combine":
        if (this.staged) lines.push(...combineStaged(s));
        else lines.push(...combineText(s, this.shape.kind === "groups" ? this.shape.width : laneCount));
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

  private waitFor(s: Stmt): void {
    if (this.shape.kind === "groups" && !this.columns && this.hazards.touch(s)) this.lines.push(this.barrier);
  }

  private loop(s: Extract<Stmt, { kind: "for" }>): void {
    const { lines, alone } = this;
    const v = `v${s.variable.id}`;
    const { from, to } = boundsOf(s);
    if (this.inside && s.vector) {
      lines.push(`{ const i32 ${v} = column;`);
      this.statements(storesLast(s.body));
      lines.push("}");
      return;
    }
    const staged = this.staged && s.vector && stagedLoop(s, from, to, (list) => this.write(list));
    if (staged) {
      lines.push(...staged);
      return;
    }
    if (s.vector && !alone) {
      const step = this.shape.kind === "groups" ? this.shape.width : "(i32)(gridDim.x * blockDim.x)";
      // Columns belong to one thread in all loops.
      const wide = this.isLong(s) && !s.from && !this.columns;
      const adjacent = wide ? adjacentOf(s.body, s.variable, this.anyOrder) : undefined;
      if (adjacent) {
        lines.push(
          `{ const i32 full = ${alignedText(adjacent, this)} ? ${to} / ${together} * ${together} : 0;`,
          `for (i32 ${v} = lane * ${together}; ${v} < full; ${v} += ${step} * ${together}) {`,
          ...adjacentText(adjacent, this),
          "}",
          `for (i32 ${v} = full + lane; ${v} < ${to}; ${v} += ${step}) {`,
          ...this.write(s.body),
          "}}",
        );
        return;
      }
      const ahead = this.isLong(s) ? aheadOf(s.body) : undefined;
      if (ahead) {
        const range = { first: `${from} + lane`, end: to, step: `${step}` };
        const item = { name: v, type: "i32", before: [] };
        lines.push(...aheadLoop(ahead, item, range, (list) => this.write(list)));
        return;
      }
      lines.push(`for (i32 ${v} = ${from} + lane; ${v} < ${to}; ${v} += ${step}) {`);
      this.alone = true;
      this.statements(s.body);
      this.alone = alone;
      lines.push("}");
      return;
    }
    lines.push(`for (i32 ${v} = ${from}; ${v} < ${to}; ${v}++) {`);
    this.again(s.body, () => this.statements(s.body));
    lines.push("}");
  }

  /** Whether each thread of a group has many iterations of a loop. */
  private isLong(loop: Extract<Stmt, { kind: "for" }>): boolean {
    const trips = tripCount(loop);
    return this.shape.kind === "groups" && trips !== undefined && trips >= longIterations * this.shape.width;
  }

  /** The text of statements that each thread executes alone. */
  write(list: readonly Stmt[]): readonly string[] {
    const { lines, alone } = this;
    const start = lines.length;
    this.alone = true;
    this.statements(list);
    this.alone = alone;
    return lines.splice(start);
  }

  private repeat(s: Extract<Stmt, { kind: "while" }>): void {
    const { lines } = this;
    lines.push("for (;;) {");
    this.again([...s.test, ...s.body], () => {
      this.statements(s.test);
      lines.push(`if (!(${nameOf(s.condition)})) break;`);
      this.statements(s.body);
    });
    lines.push("}");
  }

  /** A body that runs any number of times. */
  private again(body: readonly Stmt[], write: () => void): void {
    if (this.alone) write();
    else this.hazards.again(body, write);
  }

  private branch(s: Extract<Stmt, { kind: "if" }>): void {
    const { lines, hazards } = this;
    const before = hazards.now();
    lines.push(`if (${nameOf(s.condition)}) {`);
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
}

const boundsOf = (loop: Extract<Stmt, { kind: "for" }>) => ({
  from: loop.from ? nameOf(loop.from) : "0",
  to: typeof loop.extent === "number" ? `${loop.extent}` : nameOf(loop.extent),
});

/** Iterations of a thread from which loads of several wait together. */
const longIterations = 4;

const widthOf = (shape: Shape) => (shape.kind === "groups" ? shape.width : 1);

/** An element's index. Tensors have fewer than 2³¹ elements. */
function indexText(index: Index): string {
  const parts: string[] = [];
  const add = (text: string, coefficient: number) => {
    if (coefficient === 1) parts.push(text);
    else if (coefficient !== 0) parts.push(`${text} * ${coefficient < 0 ? `(${coefficient})` : coefficient}`);
  };
  for (const { variable, coefficient } of index.terms) add(`v${variable.id}`, coefficient);
  for (const { value, coefficient } of index.dynamic ?? []) {
    if ("id" in value) add(`v${value.id}`, coefficient);
    else parts.push(`${value.constant * coefficient}`);
  }
  if (index.constant !== 0 || parts.length === 0) parts.push(`${index.constant}`);
  return parts.join(" + ");
}
