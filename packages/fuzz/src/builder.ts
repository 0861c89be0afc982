import * as o from "./internals.ts";
import { type DType, interpose, Tensor, TensorError } from "./internals.ts";
import {
  type Arg,
  at,
  type Block,
  call,
  type Env,
  type Input,
  type Node,
  type Ref,
  refsOf,
} from "./program.ts";
import type { Random } from "./random.ts";
import { elements, type Flavour } from "./values.ts";

/** A value that a program has computed so far, with sample elements; parameters of functions have samples too. */
export interface Value {
  readonly id: number;
  readonly tensor: Tensor;
  /** The operation that computed it. */
  readonly op: string;
}

/** State that the builders of a program and of its inner functions share. */
export interface Shared {
  readonly r: Random;
  readonly flavour: Flavour;
  /** Maximum elements of a value. */
  readonly limit: number;
  /** Whether axes may be empty. */
  readonly empty: boolean;
  readonly env: Env;
  readonly inputs: Input[];
  nextId: number;
  /** Operations that failed with an error other than a TensorError: separate findings. */
  readonly failures: string[];
  /** The operations that random steps are chosen from (default: all). */
  readonly names?: readonly string[];
  /** Maximum steps of inner functions. */
  readonly inner: number;
  /** Maximum nesting of functions. */
  depth: number;
}

export const all: readonly DType[] = ["f32", "i32", "u32", "u8", "bool"];
export const numeric: readonly DType[] = ["f32", "i32", "u32", "u8"];
const extents = [1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64, 65, 100, 257, 300];

export const ref = (v: Value): Ref => ({ $: v.id });
/** Intermediates may be larger than arguments and results, but not so large that they take minutes. */
const largest = 2e6;
class TooLarge extends Error {}

const sizeOf = (shape: readonly number[]) => shape.reduce((n, d) => n * d, 1);

/** Collects the nodes of a program, or of an inner function, and runs each immediately on samples. */
export class Builder {
  readonly shared: Shared;
  readonly pool: Value[];
  readonly nodes: Node[] = [];
  /** A value that the next operation should use if possible. */
  must: Value | undefined;

  constructor(shared: Shared, pool: readonly Value[] = []) {
    this.shared = shared;
    this.pool = [...pool];
  }

  get r(): Random {
    return this.shared.r;
  }

  /** Adds a call; undefined if it was refused or its result is useless. */
  emit(op: string, args: readonly Arg[], blocks?: readonly Block[]): Value[] | undefined {
    const method =
      !blocks &&
      this.r.chance(0.1) &&
      typeof Reflect.get(Tensor.prototype, op) === "function" &&
      refsOf(args[0])[0] !== undefined &&
      !Array.isArray(args[0]);
    const draft: Node = { op, args, ...(blocks ? { blocks } : {}), ...(method ? { method } : {}), outs: [] };
    let result: unknown;
    try {
      result = interpose(
        (_, inputs, plain, shape) => {
          if (sizeOf(shape) > largest) throw new TooLarge();
          return plain(inputs);
        },
        () => call(draft, this.shared.env),
      );
    } catch (error) {
      if (!(error instanceof TensorError || error instanceof TooLarge))
        this.shared.failures.push(`${op}: ${(error as Error).message.split("\n")[0]}`);
      return undefined;
    }
    const found = partsOf(result).filter(({ tensor }) => tensor.size <= this.shared.limit);
    if (!found.length || !found.some(({ tensor }) => this.useful(tensor))) return undefined;
    const outs = found.map(({ path }) => ({ id: this.shared.nextId++, path }));
    this.nodes.push({ ...draft, outs });
    return outs.map(({ id, path }) => this.add(id, at(result, path), op));
  }

  private add(id: number, tensor: Tensor, op: string): Value {
    const value = { id, tensor, op };
    this.shared.env.set(id, tensor);
    this.pool.push(value);
    return value;
  }

  /** Overflowed or entirely NaN values test nothing. */
  private useful(t: Tensor): boolean {
    if (t.dtype !== "f32" || this.shared.flavour === "special" || t.size === 0) return true;
    let bad = 0;
    const most = this.shared.flavour === "whole" ? 2 ** 22 : 1e6;
    for (const v of t.data) if (!(Math.abs(v) <= most)) bad++;
    return bad === 0 || this.r.chance(0.15);
  }

  /** A matching tensor from the pool; the demanded one first, then preferably a recent one. */
  find(fits: (t: Tensor) => boolean): Value | undefined {
    if (this.must && fits(this.must.tensor)) {
      const v = this.must;
      this.must = undefined;
      return v;
    }
    const some = this.pool.filter((v) => fits(v.tensor));
    return some.length
      ? some[Math.max(this.r.whole(0, some.length - 1), this.r.whole(0, some.length - 1))]
      : undefined;
  }

  shape(least = 0, most = 4, limit = this.shared.limit): number[] {
    const rank = this.r.whole(least, Math.max(least, this.r.chance(0.8) ? Math.min(most, 3) : most));
    const out: number[] = [];
    for (let i = 0; i < rank; i++) {
      const room = Math.max(1, Math.floor(limit / Math.max(1, sizeOf(out)) / (i < rank - 1 ? 2 : 1)));
      const fits = extents.filter((e) => e <= room);
      out.push(this.shared.empty && this.r.chance(0.15) ? 0 : this.r.pick(fits));
    }
    if (this.shared.limit > 20000 && rank > 0 && this.r.chance(0.5)) {
      const axis = this.r.whole(0, rank - 1);
      const rest = Math.max(1, sizeOf(out.filter((_, i) => i !== axis)));
      out[axis] = Math.max(1, Math.floor(this.r.between(limit * 0.3, limit) / rest));
    }
    return this.r.shuffled(out);
  }

  /** A new argument, donated argument or captured tensor. */
  input(shape: readonly number[], dtype: DType, values?: () => number[]): Value {
    const { r, flavour } = this.shared;
    const make = values ?? (() => elements(r, sizeOf(shape), dtype, flavour));
    const id = this.shared.nextId++;
    const role = r.chance(0.25) ? "capture" : "argument";
    const input: Input = { id, shape, dtype, values: [make(), make()], role };
    this.shared.inputs.push(input);
    return this.add(id, o.tensor([...input.values[0]], { shape, dtype }), "input");
  }

  /** A value of this shape and type: an existing one, a new input, or a constant. */
  source(shape: readonly number[], dtype: DType): Value {
    const { r } = this;
    const known = this.find((t) => t.dtype === dtype && String(t.shape) === String(shape));
    if (known && r.chance(0.6)) return known;
    const kind = r.next();
    const constant =
      dtype === "bool" ? r.chance(0.5) : dtype === "f32" ? r.pick([0, 1, -1, 2, 0.5, -3, -0]) : r.whole(0, 3);
    let made: Value[] | undefined;
    if (kind < 0.12) made = this.emit("full", [shape, constant, dtype]);
    else if (kind < 0.2 && shape.length) {
      made = this.emit("iota", [shape, r.whole(0, shape.length - 1)]);
      if (made && dtype !== "i32") made = this.emit("cast", [ref(made[0]), dtype]);
    } else if (kind < 0.26 && shape.length) {
      const narrow = this.input(
        shape.slice(r.whole(0, shape.length)).map((d) => (r.chance(0.4) ? 1 : d)),
        dtype,
      );
      made = this.emit("broadcastTo", [ref(narrow), shape]);
    }
    return made?.[0] ?? this.input(shape, dtype);
  }

  /** A value of one of the types with a rank in the range. */
  any(types: readonly DType[] = all, least = 0, most = 5, also: (t: Tensor) => boolean = () => true): Value {
    const fits = (t: Tensor) => types.includes(t.dtype) && t.rank >= least && t.rank <= most && also(t);
    const demanded = this.must && fits(this.must.tensor);
    const found = (demanded || this.r.chance(0.85)) && this.find(fits);
    if (found) return found;
    for (let i = 0; i < 5; i++) {
      const v = this.source(this.shape(least, Math.min(most, 4)), this.r.pick(types));
      if (fits(v.tensor)) return v;
    }
    return this.source(new Array<number>(least).fill(2), types[0]);
  }

  float(least = 0, most = 5, also?: (t: Tensor) => boolean): Value {
    return this.any(["f32"], least, most, also);
  }

  /** A second operand for `t`: broadcastable, of its type, sometimes a plain number. */
  beside(t: Tensor): Arg {
    const { r } = this;
    if (!this.must && r.chance(0.12))
      return t.dtype === "f32" ? r.pick([0, 1, -1, 2, 0.5, -0, 3]) : r.whole(0, 5);
    const fits = (u: Tensor) =>
      u.dtype === t.dtype &&
      u.rank <= 4 &&
      Array.from({ length: Math.max(u.rank, t.rank) }, (_, i) => [
        u.shape[u.rank - 1 - i] ?? 1,
        t.shape[t.rank - 1 - i] ?? 1,
      ]).every(([a, b]) => a === b || a === 1 || (b === 1 && u.size <= t.size));
    const found = this.find(fits);
    if (found && r.chance(0.75)) return ref(found);
    const shape = t.shape.slice(r.chance(0.4) ? r.whole(0, t.rank) : 0).map((d) => (r.chance(0.25) ? 1 : d));
    return ref(this.source(shape, t.dtype));
  }

  /** i32 indices below `limit`, of this shape; some are equal, a few out of range. */
  indices(shape: readonly number[], limit: number): Arg {
    const { r } = this;
    const found = this.find((t) => t.dtype === "i32" && String(t.shape) === String(shape));
    if (found && r.chance(0.4)) return ref(found);
    const axis = shape.length ? r.whole(0, shape.length - 1) : -1;
    if (axis >= 0 && r.chance(0.15)) {
      const count = this.emit("iota", [shape, axis]);
      const small = count && this.emit("mod", [ref(count[0]), Math.max(1, limit)]);
      if (small) return ref(small[0]);
    }
    const wide = r.chance(0.1) ? 2 : 0;
    return ref(
      this.input(shape, "i32", () =>
        Array.from({ length: sizeOf(shape) }, () => r.whole(-wide, limit - 1 + wide)),
      ),
    );
  }

  axis(t: Tensor): number {
    const a = this.r.whole(0, t.rank - 1);
    return this.r.chance(0.3) ? a - t.rank : a;
  }
}

/** All tensors of a result with their paths. */
function partsOf(result: unknown, path = ""): { tensor: Tensor; path: string }[] {
  if (result instanceof Tensor) return [{ tensor: result, path }];
  if (typeof result !== "object" || result === null) return [];
  return Object.entries(result).flatMap(([k, v]) => partsOf(v, path ? `${path}.${k}` : k));
}
