import type { Code, SimdOp } from "@reins/tensor/assembler";

const bits = new DataView(new ArrayBuffer(8));

/**
 * A double for each of two rows, or for each a mask of ones or zeros: a local variable of a kernel under
 * construction. Operations emit code, and round as in JavaScript.
 */
export class Pair {
  private readonly code: Code;
  readonly local: number;

  /** Pops the value on the stack. */
  constructor(code: Code) {
    this.code = code;
    this.local = code.local("v128");
    code.set(this.local);
  }

  static constant(code: Code, value: number): Pair {
    bits.setFloat64(0, value);
    const [high, low] = [bits.getInt32(0), bits.getInt32(4)];
    return new Pair(code.v128([low, high, low, high]));
  }

  add(other: Pair | number): Pair {
    return this.with("f64x2.add", other);
  }
  sub(other: Pair | number): Pair {
    return this.with("f64x2.sub", other);
  }
  /** A number minus this one. */
  rsub(from: number): Pair {
    return Pair.constant(this.code, from).sub(this);
  }
  mul(other: Pair | number): Pair {
    return this.with("f64x2.mul", other);
  }
  div(other: Pair | number): Pair {
    return this.with("f64x2.div", other);
  }
  min(other: Pair | number): Pair {
    return this.with("f64x2.min", other);
  }
  max(other: Pair | number): Pair {
    return this.with("f64x2.max", other);
  }
  gt(other: Pair | number): Pair {
    return this.with("f64x2.gt", other);
  }
  lt(other: Pair | number): Pair {
    return this.with("f64x2.lt", other);
  }
  ne(other: Pair | number): Pair {
    return this.with("f64x2.ne", other);
  }
  and(other: Pair): Pair {
    return this.with("v128.and", other);
  }
  or(other: Pair): Pair {
    return this.with("v128.or", other);
  }
  xor(other: Pair): Pair {
    return this.with("v128.xor", other);
  }
  not(): Pair {
    return this.to("v128.not");
  }
  abs(): Pair {
    return this.to("f64x2.abs");
  }
  neg(): Pair {
    return this.to("f64x2.neg");
  }
  floor(): Pair {
    return this.to("f64x2.floor");
  }
  /** Rounds to the nearest whole number. */
  nearest(): Pair {
    return this.to("f64x2.nearest");
  }
  /** Negative where a mask is set. */
  negated(mask: Pair): Pair {
    return this.xor(mask.and(Pair.constant(this.code, -0)));
  }
  /** Rounds to single precision. */
  single(): Pair {
    return this.to("f32x4.demote_f64x2_zero", "f64x2.promote_low_f32x4");
  }
  /** A polynomial in this value, lowest coefficient first, as two of half the length, which run in parallel. */
  split(...[c0, c1, c2, c3, c4]: [number, number, number, number, number]): Pair {
    const square = this.mul(this);
    const upper = this.mul(c3).add(c2).add(square.mul(c4));
    return this.mul(c1).add(c0).add(square.mul(upper));
  }
  /** Select by a mask: the first where it is set, else the second. */
  select(first: Pair, second: Pair): Pair {
    this.code.get(first.local).get(second.local).get(this.local).simd("v128.bitselect");
    return new Pair(this.code);
  }
  /** Of a whole number in the range of i32: its bits, twice. */
  words(): Pair {
    const { local } = this.to("i32x4.trunc_sat_f64x2_s_zero");
    const bytes = [0, 0, 1, 1].flatMap((word) => [0, 1, 2, 3].map((b) => word * 4 + b));
    this.code.get(local).get(local).shuffle(bytes);
    return new Pair(this.code);
  }
  /** Of a result of `words`: where this bit is set. */
  bit(n: number): Pair {
    this.code.get(this.local);
    this.code
      .i32(31 - n)
      .simd("i32x4.shl")
      .i32(31)
      .simd("i32x4.shr_s");
    return new Pair(this.code);
  }

  private with(op: SimdOp, other: Pair | number): Pair {
    const { local } = typeof other === "number" ? Pair.constant(this.code, other) : other;
    this.code.get(this.local).get(local).simd(op);
    return new Pair(this.code);
  }

  private to(...ops: SimdOp[]): Pair {
    this.code.get(this.local);
    for (const op of ops) this.code.simd(op);
    return new Pair(this.code);
  }
}
