import { computeType, type DType } from "../dtype.ts";
import type { Node } from "../graph.ts";
import { round64 } from "../heap-guard.ts";
import { Builder } from "../kernel/builder.ts";
import type { Index, Operand, Value } from "../kernel/kernel.ts";
import type { Affine, Dims } from "./affine.ts";
import type { Member, Read } from "./members.ts";
import { computeNode, isComputed } from "./operations.ts";

/** Adjacent loop dimensions that every access traverses as one. */
export interface Collapsed {
  readonly extent: number;
  /** The original dimension whose coefficient is the loop's. */
  readonly dim: number;
}

/** Merges neighbours in `order` wherever all affine accesses allow it. */
export function collapse(dims: Dims, order: readonly number[], accesses: readonly Affine[]): Collapsed[] {
  const out: Collapsed[] = [];
  for (const d of order) {
    const last = out[out.length - 1];
    if (last && accesses.every((a) => a.coefficients[last.dim] === a.coefficients[d] * dims[d])) {
      out[out.length - 1] = { extent: last.extent * dims[d], dim: d };
    } else out.push({ extent: dims[d], dim: d });
  }
  return out;
}

/** Every address that a group computes. */
export function accessesOf(list: readonly Member[], stored: ReadonlySet<Node>): Affine[] {
  return list.flatMap((m) => [
    ...m.reads.flatMap((r) => (r.kind === "memory" ? [r.flat] : r.kind === "index" ? [r.affine] : [])),
    ...(m.table ? [m.table.flat] : []),
    ...(stored.has(m.node) || m.reduces ? [m.home] : []),
  ]);
}

/** Code generation for the members of one group: addresses, parameters and values. */
export class Emitter {
  readonly builder = new Builder();
  readonly args: (Node | { readonly scratch: number })[] = [];
  /** A dimension's index is `scale · variable + ahead`; by default scale is 1 and ahead 0. */
  readonly variables = new Map<number, Value>();
  readonly scale = new Map<number, number>();
  readonly ahead = new Map<number, number>();
  private readonly params = new Map<Node, number>();
  private readonly written: ReadonlySet<Node>;
  scratchBytes = 0;

  /** `written` are nodes stored by this kernel: reads of those must not be moved. */
  constructor(written: ReadonlySet<Node>) {
    this.written = written;
  }

  param(node: Node): number {
    let p = this.params.get(node);
    if (p === undefined) {
      p = this.builder.param(node.dtype);
      this.params.set(node, p);
      this.args.push(node);
    }
    return p;
  }

  /** Thread-private memory for `count` elements. */
  scratch(dtype: DType, count: number): number {
    this.args.push({ scratch: this.scratchBytes });
    this.scratchBytes += round64(count * 4);
    return this.builder.param(dtype, true);
  }

  index(a: Affine, dynamic?: { value: Operand; coefficient: number }): Index {
    let { constant } = a;
    const terms = a.coefficients.flatMap((coefficient, d) => {
      const variable = this.variables.get(d);
      constant += coefficient * (this.ahead.get(d) ?? 0);
      return coefficient !== 0 && variable
        ? [{ variable, coefficient: coefficient * (this.scale.get(d) ?? 1) }]
        : [];
    });
    return { constant, terms, ...(dynamic ? { dynamic: [dynamic] } : {}) };
  }

  /** An affine index as a number (i32). */
  number(a: Affine): Operand {
    const b = this.builder;
    const { constant, terms } = this.index(a);
    let sum: Operand = b.constant("i32", constant);
    for (const { variable, coefficient } of terms) {
      const term =
        coefficient === 1 ? variable : b.op("i32", "mul", variable, b.constant("i32", coefficient));
      sum = "constant" in sum && sum.constant === 0 ? term : b.op("i32", "add", sum, term);
    }
    return sum;
  }

  load(node: Node, flat: Affine): Operand {
    return this.builder.load(this.param(node), this.index(flat), this.written.has(node));
  }

  /** An argument's value; `member` gives the values of other members. */
  read(r: Read, member: (n: Node) => Operand): Operand {
    if (r.kind === "member") return member(r.node);
    if (r.kind === "memory") return this.load(r.node, r.flat);
    if (r.kind === "index") return this.number(r.affine);
    return this.builder.constant(computeType(r.node.dtype), r.node.attributes.value);
  }

  /** A member's value from its arguments. */
  compute(m: Member, member: (n: Node) => Operand): Operand {
    const b = this.builder;
    const args = m.reads.map((r) => this.read(r, member));
    if (m.table) {
      const low = b.op("i32", "max", args[0], b.constant("i32", 0));
      const position = b.op("i32", "min", low, b.constant("i32", m.table.extent - 1));
      return b.load(
        this.param(m.table.node),
        this.index(m.table.flat, { value: position, coefficient: m.table.stride }),
      );
    }
    const { node } = m;
    if (node.op === "constant") return b.constant(computeType(node.dtype), node.attributes.value);
    if (!isComputed(node)) return args[0];
    const value = computeNode(node, b, args);
    // Bytes are computed as i32 and wrap after every operation, also while they stay in registers.
    return node.dtype === "u8" ? b.op("i32", "and", value, b.constant("i32", 255)) : value;
  }
}

/** Opens loops over `dims` from the outside in, the last one a vector loop if `vector`, and runs `body` inside. */
export function nest(
  e: Emitter,
  dims: readonly Collapsed[],
  vector: boolean,
  body: () => void,
  independent = false,
): void {
  const [first, ...rest] = dims;
  if (!first) return body();
  const visit = (v: Value) => {
    e.variables.set(first.dim, v);
    nest(e, rest, vector, body, independent);
  };
  const innermost = vector && rest.length === 0;
  e.builder.loop(first.extent, innermost, visit, undefined, independent && !innermost);
}

/** Like `nest`, for loops whose iterations are independent, as those over the elements or rows of a result. */
export function independently(
  e: Emitter,
  dims: readonly Collapsed[],
  vector: boolean,
  body: () => void,
): void {
  nest(e, dims, vector, body, true);
}

/** Number of chunks of at most `share` iterations. */
export const shares = (loop: Collapsed, share: number) => Math.ceil(loop.extent / share);

/** The chunk of a vector loop that the parallel variable selects. */
export function shareOf(
  e: Emitter,
  loop: Collapsed,
  share: number,
  parallel: Value,
  body: () => void,
  end: Operand = e.builder.constant("i32", loop.extent),
): void {
  const b = e.builder;
  const size = b.constant("i32", share);
  const from = b.op("i32", "mul", parallel, size);
  const to = b.op("i32", "min", b.op("i32", "add", from, size), end);
  const visit = (v: Value) => {
    e.variables.set(loop.dim, v);
    body();
  };
  b.loop(to, true, visit, from);
}
