import type { TypedArray } from "../dtype.ts";
import { fused } from "../math/fma.ts";
import {
  type BasicOp,
  type CombineOp,
  type Index,
  type Kernel,
  laneCount,
  type Operand,
  type Stmt,
  type Value,
} from "./kernel.ts";

/** How a · b + c is rounded where nothing is fused. */
export const roundedTwice = (a: number, b: number, c: number) => Math.fround(Math.fround(a * b) + c);

/**
 * Reference semantics of kernels in plain JavaScript, one element at a time; tests of the emitters compare with it. `multiplyAdd` is
 * the target's fma.
 */
export function interpret(
  kernel: Kernel,
  params: readonly TypedArray[],
  begin: number,
  end: number,
  length = 0,
  multiplyAdd = fused,
): void {
  const values = new Map<number, number>();
  /** The lanes of accumulators; a vector loop works on one of each at a time. */
  const lanes = new Map<number, number[]>();
  if (kernel.length) values.set(kernel.length.id, length);
  const get = (x: Operand): number =>
    "constant" in x
      ? x.type === "f32"
        ? Math.fround(x.constant)
        : x.constant
      : (values.get(x.id) as number);
  const place = (index: Index) => {
    let sum = index.constant;
    for (const t of index.terms) sum += t.coefficient * get(t.variable);
    for (const d of index.dynamic ?? []) sum += d.coefficient * get(d.value);
    return sum;
  };
  const run = (stmts: readonly Stmt[]): void => {
    for (const s of stmts) {
      if (s.kind === "let")
        values.set(
          s.result.id,
          s.op === "fma"
            ? multiplyAdd(get(s.args[0]), get(s.args[1]), get(s.args[2]))
            : apply(s.op, s.args[s.op === "select" ? 1 : 0].type, s.args.map(get)),
        );
      else if (s.kind === "load") {
        const x = params[s.param][place(s.index)];
        values.set(s.result.id, kernel.params[s.param].storage === "bool" ? (x ? 1 : 0) : x);
      } else if (s.kind === "store") params[s.param][place(s.index)] = get(s.value);
      else if (s.kind === "for") {
        const extent = typeof s.extent === "number" ? s.extent : get(s.extent);
        const from = s.from ? get(s.from) : 0;
        for (let i = from; i < extent; i++) {
          values.set(s.variable.id, i);
          const own = (i - from) % laneCount;
          if (s.vector) for (const [id, all] of lanes) values.set(id, all[own]);
          run(s.body);
          if (s.vector) for (const [id, all] of lanes) all[own] = values.get(id) as number;
        }
      } else if (s.kind === "declare") {
        values.set(s.variable.id, get(s.init));
        if (s.lanes) lanes.set(s.variable.id, new Array(laneCount).fill(get(s.init)));
      } else if (s.kind === "assign") values.set(s.variable.id, get(s.value));
      else if (s.kind === "combine") {
        values.set(s.result.id, joined(lanes.get(s.accumulator.id) as number[], s.op, s.result.type));
        lanes.delete(s.accumulator.id);
      } else if (s.kind === "if") run(get(s.condition) ? s.then : (s.else ?? []));
      else {
        for (;;) {
          run(s.test);
          if (!get(s.condition)) break;
          run(s.body);
        }
      }
    }
  };
  for (let i = begin; i < end; i++) {
    values.set(kernel.parallel.id, i);
    run(kernel.body);
  }
}

/** Lanes reduced by halves. min and max propagate NaN from either operand. */
function joined(all: readonly number[], op: CombineOp, type: Value["type"]): number {
  let left = all;
  while (left.length > 1) {
    const half = left.length / 2;
    left = left.slice(0, half).map((a, l) => (Number.isNaN(a) ? a : apply(op, type, [a, left[l + half]])));
  }
  return left[0];
}

const bits = new DataView(new ArrayBuffer(4));
const saturate = (x: number, low: number, high: number) =>
  Number.isNaN(x) ? 0 : Math.min(high, Math.max(low, Math.trunc(x)));

function apply(op: Exclude<BasicOp, "fma">, type: Value["type"], [a, b, c]: number[]): number {
  const wrap = (x: number) =>
    type === "u32" ? x >>> 0 : type === "i32" ? x | 0 : type === "f32" ? Math.fround(x) : x;
  // biome-ignore format: a table
  switch (op) {
    case "add": return wrap(a + b);
    case "sub": return wrap(a - b);
    case "mul": return type === "f32" ? Math.fround(a * b) : wrap(Math.imul(a, b));
    case "div": return type === "f32" ? Math.fround(a / b) : b === 0 ? 0 : wrap(Math.trunc(a / b));
    case "rem": return b === 0 ? 0 : wrap(a % b);
    case "neg": return type === "f32" ? -a : wrap(-a);
    case "abs": return wrap(Math.abs(a));
    case "sqrt": return Math.fround(Math.sqrt(a));
    case "floor": return Math.floor(a);
    case "ceil": return Math.ceil(a);
    case "trunc": return Math.trunc(a);
    case "round": {
      if (!(Math.abs(a) < 2 ** 23)) return a;
      const low = Math.floor(a);
      const even = a - low === 0.5 ? (low % 2 === 0 ? low : low + 1) : a - low < 0.5 ? low : low + 1;
      return even === 0 ? (a < 0 || Object.is(a, -0) ? -0 : 0) : even;
    }
    case "min": return a < b ? a : b;
    case "max": return a > b ? a : b;
    case "and": return wrap(a & b);
    case "or": return wrap(a | b);
    case "xor": return wrap(a ^ b);
    case "not": return type === "bool" ? (a ? 0 : 1) : wrap(~a);
    case "shl": return wrap(a << (b & 31));
    case "shr": return type === "u32" ? a >>> (b & 31) : a >> (b & 31);
    case "eq": return Number(a === b);
    case "ne": return Number(a !== b);
    case "lt": return Number(a < b);
    case "le": return Number(a <= b);
    case "gt": return Number(a > b);
    case "ge": return Number(a >= b);
    case "select": return a ? b : c;
    case "f32toi32": return saturate(a, -2147483648, 2147483647) | 0;
    case "f32tou32": return saturate(a, 0, 4294967295) >>> 0;
    case "i32tof32":
    case "u32tof32": return Math.fround(a);
    case "booltoi32":
    case "booltof32": return a ? 1 : 0;
    case "bits_f32toi32": bits.setFloat32(0, a); return bits.getInt32(0);
    case "bits_i32tof32": bits.setInt32(0, a); return bits.getFloat32(0);
    case "i32tou32": return a >>> 0;
    case "u32toi32": return a | 0;
  }
}
