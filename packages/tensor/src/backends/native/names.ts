import type { Compute, DType } from "../../dtype.ts";
import type { Index, Kernel, Operand, Value } from "../../kernel/kernel.ts";
import { accumulatorsOf, isVarying } from "./analysis.ts";
import { literal } from "./operations.ts";

export const scalarType: Record<Compute, string> = { f32: "f32", i32: "i32", u32: "u32", bool: "i32" };
export const vectorType: Record<Compute, string> = { f32: "vf", i32: "vi", u32: "vu", bool: "vi" };
export const memoryType: Record<DType, string> = {
  f32: "f32",
  i32: "i32",
  u32: "u32",
  u8: "u8",
  bool: "u8",
};
export const splat: Record<Compute, string> = {
  f32: "splatf",
  i32: "splati",
  u32: "splatu",
  bool: "splatb",
};

/** The lanes of the vector loop being written: its variable, the varying values, and the number of the copy of the body. */
export interface Lanes {
  readonly variable: Value;
  readonly varying: ReadonlySet<number>;
  readonly copy: number;
  /** The part of the accumulators in use. */
  readonly part?: string;
  /** The mask of the existing lanes, if a vector holds the last few elements. */
  readonly mask?: string;
}

/** Interleaved copies of a loop's body have separate names. */
export const suffix = (lanes?: Lanes) => (lanes?.copy ? `_${lanes.copy}` : "");

/**
 * The names of a kernel's values in C: `v` scalars, `x` vectors, `a` the parts of accumulators with lanes, `j` loop variables, `p`
 * parameters.
 */
export class Names {
  readonly accumulators: ReadonlySet<number>;
  /** Loop variables are 64-bit in C, because indices are; values read them as i32. */
  private readonly loops: Set<number>;

  constructor(kernel: Kernel) {
    this.accumulators = accumulatorsOf(kernel.body);
    this.loops = new Set([kernel.parallel.id]);
  }

  /** Marks `variable` as a loop variable. */
  enter(variable: Value): void {
    this.loops.add(variable.id);
  }

  scalar(o: Operand): string {
    if (!("id" in o)) return literal(o.constant, o.type);
    return this.loops.has(o.id) ? `(i32)j${o.id}` : `v${o.id}`;
  }

  scalars(list: readonly Operand[]): string[] {
    return list.map((o) => this.scalar(o));
  }

  vector(o: Operand, lanes: Lanes): string {
    if (!("id" in o) || !isVarying(o, lanes.varying)) return `${splat[o.type]}(${this.scalar(o)})`;
    const { id } = o;
    if (id === lanes.variable.id) return `(iota + (i32)j${id}${suffix(lanes)})`;
    return this.accumulators.has(id) ? `a${id}[${lanes.part}]` : `x${id}${suffix(lanes)}`;
  }

  /** An index in a scalar loop, of the first lane of a vector loop, or of one `lane`. */
  index(index: Index, lanes?: Lanes, lane?: string): string {
    const parts: string[] = [];
    const add = (text: string, coefficient: number) => {
      if (coefficient === 1) parts.push(text);
      else if (coefficient !== 0) parts.push(`${text} * ${coefficient}L`);
    };
    const counter = (id: number) => {
      const own = lanes && id === lanes.variable.id;
      const name = `j${id}${own ? suffix(lanes) : ""}`;
      return own && lane ? `(${name} + ${lane})` : name;
    };
    for (const { variable, coefficient } of index.terms) add(counter(variable.id), coefficient);
    for (const { value, coefficient } of index.dynamic ?? []) {
      if (!("id" in value)) parts.push(`${value.constant * coefficient}L`);
      else if (this.loops.has(value.id)) add(counter(value.id), coefficient);
      else if (lanes && lane && lanes.varying.has(value.id))
        add(`(long)${this.vector(value, lanes)}[${lane}]`, coefficient);
      else add(`(long)v${value.id}`, coefficient);
    }
    if (index.constant !== 0 || parts.length === 0) parts.push(`${index.constant}L`);
    return parts.join(" + ");
  }
}
