import { fail } from "@reins/core";
import { type DType, isFixed, type Step, sizeOf } from "../graph.ts";
import type { LoopName } from "./loops/index.ts";

/** The location of a value: an array with an offset and strides. */
export interface Place {
  readonly name: string;
  readonly base: number;
  /** Number of elements of the array, of which the value may be a part. */
  readonly room: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

/** The parts of a module, shared by the bodies of loops. */
export interface Text {
  /** Array declarations. */
  readonly arrays: string[];
  readonly loops: Set<LoopName>;
  /** Number of arrays. */
  count: number;
}

const kinds: { readonly [T in DType]: string } = {
  f32: "Float32Array",
  i32: "Int32Array",
  u32: "Uint32Array",
  u8: "Uint8Array",
  bool: "Uint8Array",
};

/** Typed arrays by element type. */
export const arrayKind = (dtype: DType): string => kinds[dtype];

/** Strides of a contiguous value. */
export function rowMajor(shape: readonly number[]): number[] {
  const out = shape.map(() => 1);
  for (let i = shape.length - 2; i >= 0; i--) out[i] = out[i + 1] * shape[i + 1];
  return out;
}

/** Writes the code of a function or of a loop body. */
export class Emitter {
  readonly lines: string[] = [];
  readonly steps: readonly Step[];
  readonly source: string;
  readonly text: Text;
  /** Result arrays of loops. */
  readonly results = new Map<number, readonly string[]>();
  private readonly places: Place[] = [];
  private readonly numbers = new Map<number, number>();
  private readonly whole = new Map<string, string>();

  constructor(
    steps: readonly Step[],
    source: string,
    text: Text = { arrays: [], loops: new Set<LoopName>(), count: 0 },
  ) {
    this.steps = steps;
    this.source = source;
    this.text = text;
  }

  shape(step: number): readonly number[] {
    const { shape } = this.steps[step];
    return isFixed(shape) ? shape : fail(this.source, "an extent depends on the number of rows.");
  }

  size(step: number): number {
    return sizeOf(this.shape(step));
  }

  /** Declares a new array. */
  array(dtype: DType, size: number): string {
    const name = `v${this.text.count++}`;
    this.text.arrays.push(`const ${name} = new ${kinds[dtype]}(${size});`);
    return name;
  }

  /** Calls a loop. */
  call(loop: LoopName, ...args: readonly (string | number | boolean | readonly number[])[]): void {
    this.text.loops.add(loop);
    this.lines.push(`${loop}(${args.map((a) => (Array.isArray(a) ? `[${a}]` : String(a))).join(", ")});`);
  }

  /** Sets the location of a step (default: a whole array). */
  set(step: number, name: string, at: Partial<Omit<Place, "name">> = {}): void {
    const { base = 0, shape = this.shape(step), strides = rowMajor(shape), room = sizeOf(shape) } = at;
    this.places[step] = { name, base, room, shape, strides };
  }

  /** Marks a step as filled with one number. */
  setNumber(step: number, value: number): void {
    this.numbers.set(step, value);
  }

  /** The number that fills a step, if there is one. */
  number(step: number): number | undefined {
    return this.numbers.get(step);
  }

  /** Declares an array for a step. */
  make(step: number): string {
    const name = this.array(this.steps[step].dtype, this.size(step));
    this.set(step, name);
    return name;
  }

  place(step: number): Place {
    const value = this.numbers.get(step);
    if (value !== undefined && !this.places[step]) this.lines.push(`${this.make(step)}.fill(${value});`);
    return this.places[step] ?? fail(this.source, `step ${step} is read before it is computed.`);
  }

  /** The contiguous array of a step; strided values are copied. */
  at(step: number): string {
    return this.gathered(this.place(step), this.steps[step].dtype);
  }

  /** The contiguous array of a location. */
  gathered(place: Place, dtype: DType): string {
    const { name, base, room, shape, strides } = place;
    const straight = rowMajor(shape);
    const isWhole = base === 0 && room === sizeOf(shape);
    if (isWhole && shape.every((d, i) => d === 1 || strides[i] === straight[i])) return name;
    const key = `${name}:${base}:${shape}:${strides}`;
    const known = this.whole.get(key);
    if (known) return known;
    const made = this.array(dtype, sizeOf(shape));
    this.call("move", made, name, base, shape, strides);
    this.whole.set(key, made);
    return made;
  }
}
