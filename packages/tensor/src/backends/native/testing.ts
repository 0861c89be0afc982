import { computeType, type TypedArray, typedArray } from "../../dtype.ts";
import { heap } from "../../heap.ts";
import type { BasicOp, Index, Kernel, Operand, Stmt, Value } from "../../kernel/kernel.ts";
import { contextHeader, contextWord, type Program, type Step, setAddress } from "../../kernel/program.ts";
import { nativeCompiler } from "./native.ts";

/** Why native tests cannot run here, or undefined. */
export const missing: string | undefined = (() => {
  try {
    nativeCompiler();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
})();
if (missing) console.warn(`Native tests are skipped: ${missing}`);

const bits = new DataView(new ArrayBuffer(4));
const f = Math.fround;

function operation(op: BasicOp, type: string, [a, b, c]: number[]): number {
  const real = type === "f32";
  const wrap = (x: number) => (real ? f(x) : type === "u32" ? x >>> 0 : type === "bool" ? x & 1 : x | 0);
  switch (op) {
    case "add":
      return wrap(a + b);
    case "sub":
      return wrap(a - b);
    case "mul":
      return real ? f(a * b) : wrap(Math.imul(a, b));
    case "div":
      return real ? f(a / b) : b === 0 ? 0 : wrap(Math.trunc(a / b));
    case "rem":
      return b === 0 ? 0 : wrap(a % b);
    case "neg":
      return wrap(-a);
    case "abs":
      return real ? Math.abs(a) : wrap(Math.abs(a));
    case "sqrt":
      return f(Math.sqrt(a));
    case "floor":
      return Math.floor(a);
    case "ceil":
      return Math.ceil(a);
    case "trunc":
      return Math.trunc(a);
    case "round": {
      if (!Number.isFinite(a) || Math.abs(a) >= 8388608) return a;
      const low = Math.floor(a);
      const r = a - low < 0.5 ? low : a - low > 0.5 ? low + 1 : low % 2 === 0 ? low : low + 1;
      return r === 0 && (a < 0 || Object.is(a, -0)) ? -0 : r;
    }
    case "min":
      return a < b ? a : b;
    case "max":
      return a > b ? a : b;
    case "and":
      return wrap(a & b);
    case "or":
      return wrap(a | b);
    case "xor":
      return wrap(a ^ b);
    case "not":
      return type === "bool" ? 1 - a : wrap(~a);
    case "shl":
      return wrap(a << (b & 31));
    case "shr":
      return type === "u32" ? a >>> (b & 31) : a >> (b & 31);
    case "eq":
      return a === b ? 1 : 0;
    case "ne":
      return a !== b ? 1 : 0;
    case "lt":
      return a < b ? 1 : 0;
    case "le":
      return a <= b ? 1 : 0;
    case "gt":
      return a > b ? 1 : 0;
    case "ge":
      return a >= b ? 1 : 0;
    case "select":
      return a ? b : c;
    case "fma":
      return f(a * b + c);
    case "f32toi32":
      return Number.isNaN(a) ? 0 : Math.max(-2147483648, Math.min(2147483647, Math.trunc(a))) | 0;
    case "f32tou32":
      return Number.isNaN(a) ? 0 : Math.max(0, Math.min(4294967295, Math.trunc(a))) >>> 0;
    case "i32tof32":
    case "u32tof32":
      return f(a);
    case "booltoi32":
    case "booltof32":
      return a;
    case "bits_f32toi32":
      bits.setFloat32(0, a);
      return bits.getInt32(0);
    case "bits_i32tof32":
      bits.setInt32(0, a);
      return bits.getFloat32(0);
    case "i32tou32":
      return a >>> 0;
    case "u32toi32":
      return a | 0;
  }
}

/** What the kernel form means, one element after another: the reference that the emitter is tested against. */
export function interpret(kernel: Kernel, params: readonly TypedArray[], begin: number, end: number): void {
  const env = new Map<number, number>();
  const read = (o: Operand): number =>
    "id" in o ? env.get(o.id)! : o.type === "f32" ? f(o.constant) : o.constant;
  const at = (index: Index) => {
    let sum = index.constant;
    for (const t of index.terms) sum += env.get(t.variable.id)! * t.coefficient;
    for (const d of index.dynamic ?? []) sum += read(d.value) * d.coefficient;
    return sum;
  };
  const put = (v: Value, x: number) => env.set(v.id, x);
  const run = (stmts: readonly Stmt[]): void => {
    for (const s of stmts) {
      switch (s.kind) {
        case "let":
          put(
            s.result,
            operation(s.op, s.op === "select" ? s.args[1].type : s.args[0].type, s.args.map(read)),
          );
          break;
        case "load": {
          const x = params[s.param][at(s.index)];
          put(s.result, kernel.params[s.param].storage === "bool" ? (x ? 1 : 0) : x);
          break;
        }
        case "store":
          params[s.param][at(s.index)] = read(s.value);
          break;
        case "declare":
          put(s.variable, read(s.init));
          break;
        case "assign":
          put(s.variable, read(s.value));
          break;
        case "combine":
          put(s.result, read(s.accumulator));
          break;
        case "if":
          run(read(s.condition) ? s.then : (s.else ?? []));
          break;
        case "while":
          for (;;) {
            run(s.test);
            if (!read(s.condition)) break;
            run(s.body);
          }
          break;
        case "for": {
          const extent = typeof s.extent === "number" ? s.extent : read(s.extent);
          for (let i = s.from ? read(s.from) : 0; i < extent; i++) {
            put(s.variable, i);
            run(s.body);
          }
        }
      }
    }
  };
  for (let p = begin; p < end; p++) {
    put(kernel.parallel, p);
    run(kernel.body);
  }
}

/** Puts arrays on the heap as the buffers of a program, runs it, and gives the arrays back as they are afterwards. */
export function runProgram(program: Omit<Program, "buffers">, arrays: readonly TypedArray[]): TypedArray[] {
  const executable = nativeCompiler().compile({
    ...program,
    buffers: arrays.map((a, i) => ({ bytes: a.byteLength, role: "input" as const, label: `b${i}` })),
  });
  const blocks = arrays.map((a) => heap.reserve(a.byteLength, "native"));
  const scratch = heap.reserve((program.scratchBytes + 64) * program.threads, "native");
  const context = heap.reserve(contextWord * (contextHeader + arrays.length), "native");
  const words = new Uint32Array(context.region.buffer, context.offset, context.bytes / 4);
  setAddress(words, 0, executable.address(scratch));
  blocks.forEach((block, i) => setAddress(words, contextHeader + i, executable.address(block)));
  const bytes = blocks.map((block) => new Uint8Array(block.region.buffer, block.offset, block.bytes));
  arrays.forEach((a, i) => {
    bytes[i].set(new Uint8Array(a.buffer, a.byteOffset, a.byteLength));
  });
  executable.run(executable.address(context));
  const results = arrays.map((a, i) => {
    const copy = a.slice();
    new Uint8Array(copy.buffer).set(bytes[i]);
    return copy;
  });
  for (const block of [...blocks, scratch, context]) block.release();
  return results;
}

/** One call of a kernel on its parameters, as a program. */
export function callStep(kernel: Kernel, extent: number): Step {
  return {
    kind: "call",
    kernel: 0,
    extent,
    barrier: false,
    args: kernel.params.map((p, i) => ({ buffer: i, offset: 0, scratch: p.scratch })),
  };
}

/** Small, reproducible random numbers. */
export function random(seed: number): {
  next(): number;
  int(n: number): number;
  pick<T>(list: readonly T[]): T;
} {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const int = (n: number) => Math.floor(next() * n);
  return { next, int, pick: (list) => list[int(list.length)] };
}

export { computeType, typedArray };
