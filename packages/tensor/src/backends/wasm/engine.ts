import { ModuleBuilder } from "./assembler.ts";

/** Whether the engine currently accepts `f32x4.relaxed_madd`. */
export function relaxedSimdWorks(): boolean {
  const module = new ModuleBuilder();
  const { code } = module.function([]);
  for (let i = 0; i < 3; i++) code.v128([0, 0, 0, 0]);
  code.simd("f32x4.relaxed_madd").op("drop");
  return WebAssembly.validate(module.finish());
}

/** Whether `setFlag` has changed the engine: then its default behaviour can no longer be observed. */
let flagged = false;

/** Sets the V8 flag for relaxed SIMD on Node 20 (for the whole process). Does nothing elsewhere. */
function setFlag(): void {
  if (relaxedSimdWorks()) return;
  // Synchronous, and without an import that would break browsers or bundlers.
  const builtin = typeof process !== "undefined" ? process.getBuiltinModule : undefined;
  const v8 = builtin?.call(process, "node:v8") as { setFlagsFromString(flags: string): void } | undefined;
  v8?.setFlagsFromString("--experimental-wasm-relaxed-simd");
  flagged = v8 !== undefined;
}

/**
 * Whether to use relaxed SIMD: see `WasmOptions.relaxed`, whose value is `requested`. If it is undefined, the answer does not
 * depend on the requests of other compilers in this process.
 */
export function chooseRelaxedSimd(requested: boolean | undefined): boolean {
  const setting = typeof process !== "undefined" ? process.env?.REINS_RELAXED_SIMD : undefined;
  if (setting === "0" || requested === false) return false;
  if (requested || setting === "1") setFlag();
  else if (flagged) return false;
  return relaxedSimdWorks();
}

// biome-ignore format: bytes
/** `(func (export "nan") (param f32) (result i32) …)`: the bits of x / x. */
const division = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // a module
  1, 6, 1, 0x60, 1, 0x7d, 1, 0x7f, // one type: f32 to i32
  3, 2, 1, 0, // one function
  7, 7, 1, 3, 0x6e, 0x61, 0x6e, 0, 0, // exported as "nan"
  10, 10, 1, 8, 0, 0x20, 0, 0x20, 0, 0x95, 0xbc, 0x0b, // x / x as an integer
]);

/**
 * Whether the processor is an ARM. Tested on the processor, since browsers report every Linux as x86-64: on x86 the NaN
 * of 0 / 0 has its sign bit set, on ARM it does not. Only speed depends on the answer, never results.
 */
export function isArm(): boolean {
  const { nan } = new WebAssembly.Instance(new WebAssembly.Module(division)).exports;
  return (nan as (x: number) => number)(0) >= 0;
}
