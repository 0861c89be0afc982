import type { MemoryOp, PlainOp, SimdOp } from "./opcodes.ts";
import { laneMemory, laneOps, memory, plain, simd } from "./opcodes.ts";

export type WasmType = "i32" | "f32" | "v128";

export const typeByte: Record<WasmType, number> = { i32: 0x7f, f32: 0x7d, v128: 0x7b };

const floatBits = new DataView(new ArrayBuffer(4));
/** The bits of a number rounded to f32, as a signed integer. */
export function bitsOf(x: number): number {
  floatBits.setFloat32(0, x);
  return floatBits.getInt32(0);
}

export function pushUnsigned(bytes: number[], n: number): void {
  // Division, not shifts: offsets go up to 2^32 - 1.
  while (n >= 128) {
    bytes.push((n % 128) | 128);
    n = Math.floor(n / 128);
  }
  bytes.push(n);
}

function pushSigned(bytes: number[], n: number): void {
  n |= 0;
  for (;;) {
    const low = n & 127;
    n >>= 7;
    if ((n === 0 && !(low & 64)) || (n === -1 && low & 64)) return void bytes.push(low);
    bytes.push(low | 128);
  }
}

/** The body of one function. Locals come from `local(type)`; `free` returns them for reuse. */
export class Code {
  readonly bytes: number[] = [];
  readonly types: WasmType[];
  private readonly parameters: number;
  private readonly unused: Record<WasmType, number[]> = { i32: [], f32: [], v128: [] };

  constructor(parameters: readonly WasmType[]) {
    this.types = [...parameters];
    this.parameters = parameters.length;
  }

  local(type: WasmType): number {
    return this.unused[type].pop() ?? this.types.push(type) - 1;
  }
  free(local: number): void {
    this.unused[this.types[local]].push(local);
  }
  get(local: number): this {
    this.bytes.push(0x20);
    pushUnsigned(this.bytes, local);
    return this;
  }
  global(index: number): this {
    this.bytes.push(0x23);
    pushUnsigned(this.bytes, index);
    return this;
  }
  set(local: number): this {
    this.bytes.push(0x21);
    pushUnsigned(this.bytes, local);
    return this;
  }
  tee(local: number): this {
    this.bytes.push(0x22);
    pushUnsigned(this.bytes, local);
    return this;
  }
  i32(value: number): this {
    this.bytes.push(0x41);
    pushSigned(this.bytes, value);
    return this;
  }
  f32(value: number): this {
    this.bytes.push(0x43);
    this.word(bitsOf(value));
    return this;
  }
  /** A vector constant from the bits of its four lanes. */
  v128(lanes: readonly [number, number, number, number]): this {
    this.bytes.push(0xfd, 0x0c);
    for (const bits of lanes) this.word(bits);
    return this;
  }
  op(name: PlainOp): this {
    this.bytes.push(plain[name]);
    return this;
  }
  simd(name: SimdOp): this {
    this.bytes.push(0xfd);
    pushUnsigned(this.bytes, simd[name]);
    return this;
  }
  /** `i32.trunc_sat_f32_s` or `_u`. */
  truncSat(signed: boolean): this {
    this.bytes.push(0xfc, signed ? 0 : 1);
    return this;
  }
  memory(name: MemoryOp, offset = 0): this {
    const [prefix, opcode, align] = memory[name];
    if (prefix) this.bytes.push(prefix);
    this.bytes.push(opcode, align);
    pushUnsigned(this.bytes, offset);
    return this;
  }
  laneMemory(name: keyof typeof laneMemory, lane: number, offset = 0): this {
    this.bytes.push(0xfd, laneMemory[name], 2);
    pushUnsigned(this.bytes, offset);
    this.bytes.push(lane);
    return this;
  }
  lane(name: keyof typeof laneOps, lane: number): this {
    this.bytes.push(0xfd, laneOps[name], lane);
    return this;
  }
  shuffle(lanes: readonly number[]): this {
    this.bytes.push(0xfd, 0x0d, ...lanes);
    return this;
  }
  /** `memory.copy`: destination, source and length are on the stack. */
  memoryCopy(): this {
    this.bytes.push(0xfc, 0x0a, 0, 0);
    return this;
  }
  block(): this {
    this.bytes.push(0x02, 0x40);
    return this;
  }
  loop(): this {
    this.bytes.push(0x03, 0x40);
    return this;
  }
  if(): this {
    this.bytes.push(0x04, 0x40);
    return this;
  }
  br(depth: number): this {
    this.bytes.push(0x0c, depth);
    return this;
  }
  brIf(depth: number): this {
    this.bytes.push(0x0d, depth);
    return this;
  }
  call(index: number): this {
    this.bytes.push(0x10);
    pushUnsigned(this.bytes, index);
    return this;
  }
  i64(value: number): this {
    this.bytes.push(0x42);
    pushSigned(this.bytes, value);
    return this;
  }
  /** `local += amount`. */
  increase(local: number, amount: number): this {
    return amount === 0 ? this : this.get(local).i32(amount).op("i32.add").set(local);
  }

  private word(bits: number): void {
    this.bytes.push(bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, (bits >> 24) & 255);
  }

  /** The encoded declarations of locals that precede the instructions: runs of one type. */
  locals(): number[] {
    const runs: { type: WasmType; count: number }[] = [];
    for (const type of this.types.slice(this.parameters)) {
      const last = runs[runs.length - 1];
      if (last?.type === type) last.count++;
      else runs.push({ type, count: 1 });
    }
    const head: number[] = [];
    pushUnsigned(head, runs.length);
    for (const { type, count } of runs) {
      pushUnsigned(head, count);
      head.push(typeByte[type]);
    }
    return head;
  }
}
