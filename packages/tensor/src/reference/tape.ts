import type { Compute, TypedArray } from "../dtype.ts";
import { type Algebra, numbers, scalarOps } from "../math/algebra.ts";
import { elementwise } from "../math/elementwise.ts";
import type { Elementwise } from "../primitives.ts";

interface Step {
  readonly f: (a: number, b: number, c: number) => number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** An elementwise operation as a list of basic ones on registers: arguments first, then constants and results in order. */
interface Tape {
  readonly constants: readonly { register: number; value: number }[];
  readonly steps: readonly (Step & { readonly to: number })[];
  readonly registers: number;
  readonly result: number;
}

/** Elements per block: each basic operation runs over a block, which is many times faster than one element at a time. */
const block = 256;
const tapes = new Map<string, Tape>();
const registers: Float64Array[] = [];

function record<K extends keyof Elementwise>(
  op: K,
  type: Compute,
  attributes: Elementwise[K],
  count: number,
): Tape {
  const constants: { register: number; value: number }[] = [];
  const steps: (Step & { to: number })[] = [];
  let next = count;
  const recorder: Algebra<number> = {
    constant: (t, value) => {
      constants.push({ register: next, value: numbers.constant(t, value) });
      return next++;
    },
    op: (t, name, a, b = a, c = a) => {
      steps.push({ f: scalarOps[t][name], a, b, c, to: next });
      return next++;
    },
  };
  const result = elementwise[op](
    recorder,
    type,
    attributes,
    Array.from({ length: count }, (_, i) => i),
  );
  return { constants, steps, registers: next, result };
}

/** Computes an elementwise operation into `out`, with the same basic operations on every element. */
export function runElementwise<K extends keyof Elementwise>(
  op: K,
  type: Compute,
  attributes: Elementwise[K],
  inputs: readonly TypedArray[],
  out: TypedArray,
): void {
  const key = `${op},${type},${Object.values(attributes)}`;
  let tape = tapes.get(key);
  if (!tape) tapes.set(key, (tape = record(op, type, attributes, inputs.length)));
  while (registers.length < tape.registers) registers.push(new Float64Array(block));
  const size = Math.min(block, out.length);
  for (const { register, value } of tape.constants) registers[register].fill(value, 0, size);
  for (let start = 0; start < out.length; start += block) {
    const n = Math.min(block, out.length - start);
    inputs.forEach((x, k) => {
      const r = registers[k];
      for (let i = 0; i < n; i++) r[i] = x[start + i];
    });
    for (const { f, a, b, c, to } of tape.steps)
      runStep(f, registers[a], registers[b], registers[c], registers[to], n);
    const r = registers[tape.result];
    for (let i = 0; i < n; i++) out[start + i] = r[i];
  }
}

function runStep(
  f: Step["f"],
  a: Float64Array,
  b: Float64Array,
  c: Float64Array,
  to: Float64Array,
  n: number,
): void {
  for (let i = 0; i < n; i++) to[i] = f(a[i], b[i], c[i]);
}
