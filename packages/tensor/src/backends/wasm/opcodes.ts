/** Opcodes of the WebAssembly instructions that the emitters use, by their names in the text format. */

/** One-byte instructions without immediates, by name. */
// biome-ignore format: a table
export const plain = {
  unreachable: 0x00, end: 0x0b, else: 0x05, return: 0x0f, drop: 0x1a, select: 0x1b,
  "i32.eqz": 0x45, "i32.eq": 0x46, "i32.ne": 0x47, "i32.lt_s": 0x48, "i32.lt_u": 0x49, "i32.gt_s": 0x4a, "i32.gt_u": 0x4b,
  "i32.le_s": 0x4c, "i32.le_u": 0x4d, "i32.ge_s": 0x4e, "i32.ge_u": 0x4f,
  "f32.eq": 0x5b, "f32.ne": 0x5c, "f32.lt": 0x5d, "f32.gt": 0x5e, "f32.le": 0x5f, "f32.ge": 0x60,
  "i32.add": 0x6a, "i32.sub": 0x6b, "i32.mul": 0x6c, "i32.div_s": 0x6d, "i32.div_u": 0x6e, "i32.rem_s": 0x6f, "i32.rem_u": 0x70,
  "i32.and": 0x71, "i32.or": 0x72, "i32.xor": 0x73, "i32.shl": 0x74, "i32.shr_s": 0x75, "i32.shr_u": 0x76,
  "f32.abs": 0x8b, "f32.neg": 0x8c, "f32.ceil": 0x8d, "f32.floor": 0x8e, "f32.trunc": 0x8f, "f32.nearest": 0x90, "f32.sqrt": 0x91,
  "f32.add": 0x92, "f32.sub": 0x93, "f32.mul": 0x94, "f32.div": 0x95, "f32.min": 0x96, "f32.max": 0x97,
  "f32.convert_i32_s": 0xb2, "f32.convert_i32_u": 0xb3, "i32.reinterpret_f32": 0xbc, "f32.reinterpret_i32": 0xbe,
} as const;

/** Vector instructions (prefix 0xfd) without immediates; 0x105 is the relaxed fused multiply-add. */
// biome-ignore format: a table
export const simd = {
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
  "f32x4.div": 0xe7, "f32x4.min": 0xe8, "f32x4.max": 0xe9, "f32x4.pmin": 0xea, "f32x4.pmax": 0xeb,
  "i32x4.trunc_sat_f32x4_s": 0xf8, "i32x4.trunc_sat_f32x4_u": 0xf9, "f32x4.convert_i32x4_s": 0xfa, "f32x4.convert_i32x4_u": 0xfb,
  "f64x2.ne": 0x48, "f64x2.lt": 0x49, "f64x2.gt": 0x4a, "f64x2.abs": 0xec, "f64x2.neg": 0xed, "f64x2.add": 0xf0, "f64x2.sub": 0xf1, "f64x2.mul": 0xf2,
  "f64x2.div": 0xf3, "f64x2.min": 0xf4, "f64x2.max": 0xf5, "f64x2.floor": 0x75, "f64x2.nearest": 0x94,
  "f32x4.demote_f64x2_zero": 0x5e, "f64x2.promote_low_f32x4": 0x5f, "i32x4.trunc_sat_f64x2_s_zero": 0xfc,
  "f64x2.convert_low_i32x4_s": 0xfe, "i64x2.bitmask": 0xc4, "v128.any_true": 0x53,
  "f32x4.relaxed_madd": 0x105,
} as const;

/** Instructions with an address on the stack: prefix (0 for none), opcode, and log2 of the alignment. */
// biome-ignore format: a table
export const memory = {
  "i32.load": [0, 0x28, 2], "f32.load": [0, 0x2a, 2], "i32.load8_u": [0, 0x2d, 0],
  "i32.store": [0, 0x36, 2], "f32.store": [0, 0x38, 2], "i32.store8": [0, 0x3a, 0], "i32.store16": [0, 0x3b, 0],
  // Alignment hints of vectors are 4 bytes: rows of any length start anywhere.
  "v128.load": [0xfd, 0x00, 2], "v128.store": [0xfd, 0x0b, 2],
  "v128.load32_splat": [0xfd, 0x09, 2], "v128.load32_zero": [0xfd, 0x5c, 0], "v128.load64_zero": [0xfd, 0x5d, 2],
  "memory.atomic.notify": [0xfe, 0x00, 2], "memory.atomic.wait32": [0xfe, 0x01, 2],
  "i32.atomic.load": [0xfe, 0x10, 2], "i32.atomic.store": [0xfe, 0x17, 2], "i32.atomic.rmw.add": [0xfe, 0x1e, 2],
} as const;

// biome-ignore format: a table
export const laneMemory = { "v128.load32_lane": 0x56, "v128.load64_lane": 0x57, "v128.store32_lane": 0x5a, "v128.store64_lane": 0x5b } as const;
// biome-ignore format: a table
export const laneOps = { "i32x4.extract_lane": 0x1b, "i32x4.replace_lane": 0x1c, "f32x4.extract_lane": 0x1f, "f32x4.replace_lane": 0x20 } as const;

/** The name of an instruction on single numbers. */
export type PlainOp = keyof typeof plain;
/** The name of an instruction on vectors of 128 bits. */
export type SimdOp = keyof typeof simd;
/** The name of an instruction that reads or writes memory. */
export type MemoryOp = keyof typeof memory;
