import { byteSize } from "../../dtype.ts";
import type { Kernel, Operand, Stmt } from "../../kernel/kernel.ts";
import type { Addresses } from "./address.ts";
import type { Code } from "./assembler.ts";
import type { Access, ForStmt } from "./statement.ts";
import { coefficient } from "./statement.ts";

const iota = [0, 1, 2, 3] as const;

/** What loads and stores need from the kernel that is being written, and how to push its values. */
export interface Values {
  readonly kernel: Kernel;
  readonly code: Code;
  readonly addresses: Addresses;
  /** The vector loop whose main part is being written, and its vectors per iteration. */
  readonly vector: ForStmt | undefined;
  readonly width: number;
  varies(x: Operand): boolean;
  scalar(x: Operand): void;
  wide(x: Operand, u: number): void;
}

export function scalarLoad(values: Values, s: Extract<Stmt, { kind: "load" }>): void {
  const storage = values.kernel.params[s.param].storage;
  const offset = values.addresses.push(s, 0);
  if (storage === "f32") values.code.memory("f32.load", offset);
  else if (byteSize(storage) === 4) values.code.memory("i32.load", offset);
  else values.code.memory("i32.load8_u", offset);
  if (storage === "bool") values.code.i32(0).op("i32.ne");
}

export function scalarStore(values: Values, s: Extract<Stmt, { kind: "store" }>, value: () => void): void {
  const storage = values.kernel.params[s.param].storage;
  const offset = values.addresses.push(s, 0);
  value();
  values.code.memory(
    storage === "f32" ? "f32.store" : byteSize(storage) === 4 ? "i32.store" : "i32.store8",
    offset,
  );
}

function dynamicVaries(values: Values, s: Access): boolean {
  return s.index.dynamic?.some((d) => values.varies(d.value)) ?? false;
}

function indexVaries(values: Values, s: Access): boolean {
  return coefficient(s.index, (values.vector as ForStmt).variable) !== 0 || dynamicVaries(values, s);
}

/** Leaves the addresses of vector `u`'s four elements in a vector local. */
function laneAddresses(values: Values, s: Access, u: number): number {
  const { code } = values;
  const size = byteSize(values.kernel.params[s.param].storage);
  const step = coefficient(s.index, (values.vector as ForStmt).variable) * size;
  values.addresses.pushUniform(s, (x) => values.varies(x));
  code.simd("i32x4.splat");
  if (step !== 0)
    code
      .v128(iota.map((lane) => (4 * u + lane) * step) as [number, number, number, number])
      .simd("i32x4.add");
  for (const d of s.index.dynamic ?? []) {
    if (!values.varies(d.value)) continue;
    const scale = d.coefficient * size;
    values.wide(d.value, u);
    if (scale !== 1) code.v128([scale, scale, scale, scale]).simd("i32x4.mul");
    code.simd("i32x4.add");
  }
  const local = code.local("v128");
  code.set(local);
  return local;
}

export function wideLoad(values: Values, s: Extract<Stmt, { kind: "load" }>, u: number): void {
  const { code } = values;
  const storage = values.kernel.params[s.param].storage;
  const size = byteSize(storage);
  const step = coefficient(s.index, (values.vector as ForStmt).variable);
  if (!dynamicVaries(values, s) && step === 1) {
    const offset = values.addresses.push(s, 4 * u, values.vector?.variable);
    if (size === 4) return void code.memory("v128.load", offset);
    code.memory("v128.load32_zero", offset).simd("i16x8.extend_low_i8x16_u").simd("i32x4.extend_low_i16x8_u");
  } else {
    const lanes = dynamicVaries(values, s) ? laneAddresses(values, s, u) : undefined;
    const address = (lane: number) => {
      if (lanes === undefined) return values.addresses.push(s, 4 * u + lane, values.vector?.variable);
      code.get(lanes).lane("i32x4.extract_lane", lane);
      return 0;
    };
    if (size === 4) {
      const result = code.local("v128");
      code.memory("v128.load32_splat", address(0)).set(result);
      for (const lane of [1, 2, 3]) {
        const offset = address(lane);
        code.get(result).laneMemory("v128.load32_lane", lane, offset);
        if (lane < 3) code.set(result);
      }
      code.free(result);
    } else {
      code.memory("i32.load8_u", address(0)).simd("i32x4.splat");
      for (const lane of [1, 2, 3])
        code.memory("i32.load8_u", address(lane)).lane("i32x4.replace_lane", lane);
    }
    if (lanes !== undefined) code.free(lanes);
  }
  if (storage === "bool") code.v128([0, 0, 0, 0]).simd("i32x4.ne");
}

export function wideStore(values: Values, s: Extract<Stmt, { kind: "store" }>, u: number): void {
  const { code } = values;
  const storage = values.kernel.params[s.param].storage;
  const float = s.value.type === "f32";
  if (!indexVaries(values, s)) {
    // All lanes write one element: the last one wins.
    if (u < values.width - 1) return;
    if (!values.varies(s.value)) {
      scalarStore(values, s, () => values.scalar(s.value));
      return;
    }
    scalarStore(values, s, () => {
      values.wide(s.value, u);
      code.lane(float ? "f32x4.extract_lane" : "i32x4.extract_lane", 3);
      if (s.value.type === "bool") code.i32(1).op("i32.and");
    });
    return;
  }
  const step = coefficient(s.index, (values.vector as ForStmt).variable);
  const value = () => {
    values.wide(s.value, u);
    if (s.value.type === "bool") code.v128([1, 1, 1, 1]).simd("v128.and");
  };
  if (!dynamicVaries(values, s) && step === 1) {
    const offset = values.addresses.push(s, 4 * u, values.vector?.variable);
    value();
    if (byteSize(storage) === 4) return void code.memory("v128.store", offset);
    const vector = code.local("v128");
    // The low byte of each lane; the other twelve bytes are ignored.
    code
      .tee(vector)
      .get(vector)
      .shuffle([0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12])
      .laneMemory("v128.store32_lane", 0, offset);
    code.free(vector);
    return;
  }
  const vector = code.local("v128");
  value();
  code.set(vector);
  const lanes = dynamicVaries(values, s) ? laneAddresses(values, s, u) : undefined;
  for (const lane of iota) {
    let offset = 0;
    if (lanes === undefined) offset = values.addresses.push(s, 4 * u + lane, values.vector?.variable);
    else code.get(lanes).lane("i32x4.extract_lane", lane);
    code.get(vector).lane(float ? "f32x4.extract_lane" : "i32x4.extract_lane", lane);
    code.memory(
      storage === "f32" ? "f32.store" : byteSize(storage) === 4 ? "i32.store" : "i32.store8",
      offset,
    );
  }
  code.free(vector);
  if (lanes !== undefined) code.free(lanes);
}
