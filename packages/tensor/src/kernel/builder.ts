import { type Compute, computeType, type DType } from "../dtype.ts";
import { type Algebra, numbers } from "../math/algebra.ts";
import type { BasicOp, Constant, Index, Kernel, Operand, Param, Stmt, Value } from "./kernel.ts";

/** A list of statements under construction; values in it may be used in the blocks nested below. */
interface Block {
  readonly statements: Stmt[];
  readonly known: Map<string, Operand>;
}

const isConstant = (x: Operand): x is Constant => "constant" in x;
const comparisons = new Set<BasicOp>(["eq", "ne", "lt", "le", "gt", "ge"]);
const results: Partial<Record<BasicOp, Compute>> = {
  f32toi32: "i32",
  f32tou32: "u32",
  i32tof32: "f32",
  u32tof32: "f32",
  booltoi32: "i32",
  booltof32: "f32",
  bits_f32toi32: "i32",
  bits_i32tof32: "f32",
  i32tou32: "u32",
  u32toi32: "i32",
};

/**
 * Writes a kernel. Every operation is placed in the outermost block in which its arguments are known, so that loop invariants
 * are computed before the loop, and equal operations of a block are shared.
 */
export class Builder implements Algebra<Operand> {
  readonly params: Param[] = [];
  private readonly blocks: Block[] = [{ statements: [], known: new Map() }];
  /** The nesting depth of the block that defines each value. */
  private readonly depths: number[] = [];

  value(type: Compute, depth = this.blocks.length - 1): Value {
    this.depths.push(depth);
    return { id: this.depths.length - 1, type };
  }

  param(storage: DType, scratch = false): number {
    this.params.push(scratch ? { storage, scratch } : { storage });
    return this.params.length - 1;
  }

  constant(type: Compute, value: number): Constant {
    return { type, constant: numbers.constant(type, value) };
  }

  private depthOf(x: Operand): number {
    return isConstant(x) ? 0 : this.depths[x.id];
  }

  private define(key: string, depth: number, type: Compute, statement: (result: Value) => Stmt): Operand {
    const block = this.blocks[depth];
    const known = block.known.get(key);
    if (known) return known;
    const result = this.value(type, depth);
    block.statements.push(statement(result));
    block.known.set(key, result);
    return result;
  }

  op(type: Compute, op: BasicOp, ...args: Operand[]): Operand {
    const result = comparisons.has(op) ? "bool" : (results[op] ?? type);
    if (args.every(isConstant)) {
      const [a, b, c] = args.map((x) => x.constant);
      return this.constant(result, numbers.op(type, op, a, b, c));
    }
    if (op === "select" && isConstant(args[0])) return args[args[0].constant ? 1 : 2];
    const depth = Math.max(...args.map((x) => this.depthOf(x)));
    const key = `${op}:${type}:${args.map(nameOf)}`;
    return this.define(key, depth, result, (r) => ({ kind: "let", result: r, op, args }));
  }

  private indexDepth(index: Index): number {
    return Math.max(
      0,
      ...index.terms.map((t) => this.depthOf(t.variable)),
      ...(index.dynamic ?? []).map((d) => this.depthOf(d.value)),
    );
  }

  /** Reads an element. `stays` keeps the read in the current block, because this kernel writes its memory. */
  load(param: number, index: Index, stays = false): Operand {
    const type = computeType(this.params[param].storage);
    const depth = stays ? this.blocks.length - 1 : this.indexDepth(index);
    return this.define(`load:${param}:${indexKey(index)}`, depth, type, (result) => ({
      kind: "load",
      result,
      param,
      index,
    }));
  }

  store(param: number, index: Index, value: Operand): void {
    this.push({ kind: "store", param, index, value });
  }

  push(statement: Stmt): void {
    this.blocks[this.blocks.length - 1].statements.push(statement);
  }

  /** A loop; `body` receives its variable. */
  loop(
    extent: number | Operand,
    vector: boolean,
    body: (variable: Value) => void,
    from?: Operand,
    independent = false,
  ): void {
    const variable = this.value("i32", this.blocks.length);
    const block: Block = { statements: [], known: new Map() };
    this.blocks.push(block);
    body(variable);
    this.blocks.pop();
    this.push({
      kind: "for",
      variable,
      extent,
      vector,
      body: block.statements,
      ...(from ? { from } : {}),
      ...(independent ? { independent } : {}),
    });
  }

  /** Statements that run only if `condition` is true. */
  when(condition: Operand, then: () => void, otherwise?: () => void): void {
    const run = (f: () => void) => {
      const block: Block = { statements: [], known: new Map() };
      this.blocks.push(block);
      f();
      this.blocks.pop();
      return block.statements;
    };
    const a = run(then);
    const b = otherwise ? run(otherwise) : undefined;
    this.push({ kind: "if", condition, then: a, ...(b ? { else: b } : {}) });
  }

  /** Repeats `body` while the condition computed by `test` is true. */
  repeat(test: () => Operand, body: () => void): void {
    const inside: Block = { statements: [], known: new Map() };
    this.blocks.push(inside);
    const condition = test();
    const tests = inside.statements.splice(0);
    inside.known.clear();
    body();
    this.blocks.pop();
    this.push({ kind: "while", test: tests, condition, body: inside.statements });
  }

  /** A mutable variable. Use `read`: it gives the current value and is never shared. */
  variable(init: Operand, lanes = false): Value {
    const variable = this.value(init.type);
    this.push({ kind: "declare", variable, init, lanes });
    return variable;
  }

  assign(variable: Value, value: Operand): void {
    this.push({ kind: "assign", variable, value });
  }

  /** An operation on mutable variables: computed in place, never moved or shared. */
  fresh(type: Compute, op: BasicOp, ...args: Operand[]): Operand {
    const result = this.value(comparisons.has(op) ? "bool" : (results[op] ?? type));
    this.push({ kind: "let", result, op, args });
    return result;
  }

  /** A read that is never moved or shared. */
  freshLoad(param: number, index: Index): Operand {
    const result = this.value(computeType(this.params[param].storage));
    this.push({ kind: "load", result, param, index });
    return result;
  }

  combine(accumulator: Value, op: "add" | "mul" | "min" | "max"): Operand {
    const result = this.value(accumulator.type);
    this.push({ kind: "combine", result, accumulator, op });
    return result;
  }

  kernel(parallel: Value, label: string, length?: Value): Kernel {
    const body = this.blocks[0].statements;
    return { params: this.params, parallel, ...(length ? { length } : {}), body, label };
  }

  /** Opens the parallel loop: all following statements are inside it. Call it first. */
  parallel(): Value {
    return this.value("i32", 0);
  }
}

const nameOf = (x: Operand) =>
  isConstant(x) ? `${x.type}${Object.is(x.constant, -0) ? "-0" : x.constant}` : `v${x.id}`;
const indexKey = (i: Index) =>
  `${i.constant}+${i.terms.map((t) => `${t.variable.id}*${t.coefficient}`)}+${(i.dynamic ?? []).map((d) => `${nameOf(d.value)}*${d.coefficient}`)}`;
