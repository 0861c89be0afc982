/**
 * A small builder of WebAssembly modules. Code is written through `Code`, whose methods are the instructions that the
 * emitters use; `ModuleBuilder` puts functions, the imported shared memory and the exports into one binary.
 */
export type WasmType = "i32" | "f32" | "v128";

const typeByte: Record<WasmType, number> = { i32: 0x7f, f32: 0x7d, v128: 0x7b };

/** One-byte instructions without immediates, by name. */
const plain = {
  unreachable: 0x00, end: 0x0b, else: 0x05, return: 0x0f, drop: 0x1a, select: 0x1b,
  "i32.eqz": 0x45, "i32.eq": 0x46, "i32.ne": 0x47, "i32.lt_s": 0x48, "i32.lt_u": 0x49, "i32.gt_s": 0x4a, "i32.gt_u": 0x4b,
  "i32.le_s": 0x4c, "i32.le_u": 0x4d, "i32.ge_s": 0x4e, "i32.ge_u": 0x4f,
  "f32.eq": 0x5b, "f32.ne": 0x5c, "f32.lt": 0x5d, "f32.gt": 0x5e, "f32.le": 0x5f, "f32.ge": 0x60,
  "i32.add": 0x6a, "i32.sub": 0x6b, "i32.mul": 0x6c, "i32.div_s": 0x6d, "i32.div_u": 0x6e, "i32.rem_s": 0x6f, "i32.rem_u": 0x70,
  "i32.and": 0x71, "i32.or": 0x72, "i32.xor": 0x73, "i32.shl": 0x74, "i32.shr_s": 0x75, "i32.shr_u": 0x76,
  "f32.abs": 0x8b, "f32.neg": 0x8c, "f32.ceil": 0x8d, "f32.floor": 0x8e, "f32.trunc": 0x8f, "f32.nearest": 0x90, "f32.sqrt": 0x91,
  "f32.add": 0x92, "f32.sub": 0x93, "f32.mul": 0x94, "f32.div": 0x95,
  "f32.convert_i32_s": 0xb2, "f32.convert_i32_u": 0xb3, "i32.reinterpret_f32": 0xbc, "f32.reinterpret_i32": 0xbe,
} as const;

/** Vector instructions (prefix 0xfd) without immediates; 0x105 is the relaxed fused multiply-add. */
const simd = {
  "i32x4.splat": 0x11, "f32x4.splat": 0x13,
  "i32x4.eq": 0x37, "i32x4.ne": 0x38, "i32x4.lt_s": 0x39, "i32x4.lt_u": 0x3a, "i32x4.gt_s": 0x3b, "i32x4.gt_u": 0x3c,
  "i32x4.le_s": 0x3d, "i32x4.le_u": 0x3e, "i32x4.ge_s": 0x3f, "i32x4.ge_u": 0x40,
  "f32x4.eq": 0x41, "f32x4.ne": 0x42, "f32x4.lt": 0x43, "f32x4.gt": 0x44, "f32x4.le": 0x45, "f32x4.ge": 0x46,
  "v128.not": 0x4d, "v128.and": 0x4e, "v128.or": 0x50, "v128.xor": 0x51, "v128.bitselect": 0x52,
  "f32x4.ceil": 0x67, "f32x4.floor": 0x68, "f32x4.trunc": 0x69, "f32x4.nearest": 0x6a,
  "i16x8.extend_low_i8x16_u": 0x89, "i32x4.extend_low_i16x8_u": 0xa9,
  "i32x4.abs": 0xa0, "i32x4.neg": 0xa1, "i32x4.shl": 0xab, "i32x4.shr_s": 0xac, "i32x4.shr_u": 0xad,
  "i32x4.add": 0xae, "i32x4.sub": 0xb1, "i32x4.mul": 0xb5,
  "i32x4.min_s": 0xb6, "i32x4.min_u": 0xb7, "i32x4.max_s": 0xb8, "i32x4.max_u": 0xb9,
  "f32x4.abs": 0xe0, "f32x4.neg": 0xe1, "f32x4.sqrt": 0xe3, "f32x4.add": 0xe4, "f32x4.sub": 0xe5, "f32x4.mul": 0xe6,
  "f32x4.div": 0xe7, "f32x4.pmin": 0xea, "f32x4.pmax": 0xeb,
  "i32x4.trunc_sat_f32x4_s": 0xf8, "i32x4.trunc_sat_f32x4_u": 0xf9, "f32x4.convert_i32x4_s": 0xfa, "f32x4.convert_i32x4_u": 0xfb,
  "f32x4.relaxed_madd": 0x105,
} as const;

/** Instructions with an address on the stack: prefix (0 for none), opcode, and log2 of the alignment. */
const memory = {
  "i32.load": [0, 0x28, 2], "f32.load": [0, 0x2a, 2], "i32.load8_u": [0, 0x2d, 0],
  "i32.store": [0, 0x36, 2], "f32.store": [0, 0x38, 2], "i32.store8": [0, 0x3a, 0],
  // Alignment hints of vectors are 4 bytes: rows of any length start anywhere.
  "v128.load": [0xfd, 0x00, 2], "v128.store": [0xfd, 0x0b, 2],
  "v128.load32_splat": [0xfd, 0x09, 2], "v128.load32_zero": [0xfd, 0x5c, 0],
  "memory.atomic.notify": [0xfe, 0x00, 2], "memory.atomic.wait32": [0xfe, 0x01, 2],
  "i32.atomic.load": [0xfe, 0x10, 2], "i32.atomic.store": [0xfe, 0x17, 2], "i32.atomic.rmw.add": [0xfe, 0x1e, 2],
} as const;

const laneMemory = { "v128.load32_lane": 0x56, "v128.store32_lane": 0x5a } as const;
const laneOps = { "i32x4.extract_lane": 0x1b, "i32x4.replace_lane": 0x1c, "f32x4.extract_lane": 0x1f, "f32x4.replace_lane": 0x20 } as const;

export type PlainOp = keyof typeof plain;
export type SimdOp = keyof typeof simd;
export type MemoryOp = keyof typeof memory;

const floatBits = new DataView(new ArrayBuffer(4));
/** The bits of a number rounded to f32, as a signed integer. */
export function bitsOf(x: number): number {
  floatBits.setFloat32(0, x);
  return floatBits.getInt32(0);
}

function pushUnsigned(bytes: number[], n: number): void {
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

function pushName(bytes: number[], name: string): void {
  pushUnsigned(bytes, name.length);
  for (let i = 0; i < name.length; i++) bytes.push(name.charCodeAt(i));
}

/** The body of one function. Locals come from `local(type)` and can be given back with `free` for reuse. */
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

  /** The encoded function: runs of locals of one type, then the instructions. */
  finish(): number[] {
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
    return head.concat(this.bytes, 0x0b);
  }
}

/** Functions of a module, and its one import: the shared memory `env.memory`. */
export class ModuleBuilder {
  private readonly types: string[] = [];
  private readonly typeBytes: number[][] = [];
  private readonly functions: { type: number; code: Code }[] = [];
  private readonly exports: { name: string; index: number }[] = [];

  /** Adds a function without results, to be written into the code that is returned with its index. */
  function(parameters: readonly WasmType[], exported?: string): { index: number; code: Code } {
    const key = parameters.join();
    let type = this.types.indexOf(key);
    if (type < 0) {
      type = this.types.push(key) - 1;
      this.typeBytes.push([0x60, parameters.length, ...parameters.map((p) => typeByte[p]), 0]);
    }
    const code = new Code(parameters);
    const index = this.functions.push({ type, code }) - 1;
    if (exported) this.exports.push({ name: exported, index });
    return { index, code };
  }

  /** The module's bytes. */
  finish(): Uint8Array<ArrayBuffer> {
    const imports: number[] = [];
    pushName(imports, "env");
    pushName(imports, "memory");
    // Shared, with a minimum of one page and the heap's maximum of 65536.
    imports.push(0x02, 0x03, 1);
    pushUnsigned(imports, 65536);
    const exported = this.exports.map(({ name, index }) => {
      const bytes: number[] = [];
      pushName(bytes, name);
      bytes.push(0);
      pushUnsigned(bytes, index);
      return bytes;
    });
    const declared = this.functions.map(({ type }) => [type]);
    const bodies = this.functions.map(({ code }) => {
      const body = code.finish();
      const size: number[] = [];
      pushUnsigned(size, body.length);
      return [size, body];
    });
    const parts: number[][] = [[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]];
    const section = (id: number, items: readonly number[][], count: number) => {
      const head: number[] = [id];
      const counted: number[] = [];
      pushUnsigned(counted, count);
      pushUnsigned(head, counted.length + items.reduce((sum, item) => sum + item.length, 0));
      parts.push(head, counted, ...items);
    };
    section(1, this.typeBytes, this.typeBytes.length);
    section(2, [imports], 1);
    section(3, declared, declared.length);
    section(7, exported, exported.length);
    section(10, bodies.flat(), bodies.length);
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}
