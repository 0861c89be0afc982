import { ModuleBuilder } from "./assembler.ts";

/** Whether the engine accepts `f32x4.relaxed_madd` now. */
export function relaxedSimdWorks(): boolean {
  const module = new ModuleBuilder();
  const { code } = module.function([]);
  for (let i = 0; i < 3; i++) code.v128([0, 0, 0, 0]);
  code.simd("f32x4.relaxed_madd").op("drop");
  return WebAssembly.validate(module.finish());
}

/** Whether `setFlag` has changed the engine: then what it accepts is not what it accepts by itself. */
let flagged = false;

/** On Node 20, where relaxed SIMD is behind a flag, sets the flag (for the whole process). Elsewhere does nothing. */
function setFlag(): void {
  if (relaxedSimdWorks()) return;
  // Synchronous and without an import that browsers or bundlers would trip over.
  const builtin = typeof process !== "undefined" ? process.getBuiltinModule : undefined;
  const v8 = builtin?.call(process, "node:v8") as { setFlagsFromString(flags: string): void } | undefined;
  v8?.setFlagsFromString("--experimental-wasm-relaxed-simd");
  flagged = v8 !== undefined;
}

/**
 * Whether to use relaxed SIMD: see `WasmOptions.relaxed`, whose value is `wish`. Without a wish the answer does not depend on
 * what another compiler in this process has asked for.
 */
export function chooseRelaxedSimd(wish: boolean | undefined): boolean {
  const setting = typeof process !== "undefined" ? process.env?.REINS_RELAXED_SIMD : undefined;
  if (setting === "0" || wish === false) return false;
  if (wish || setting === "1") setFlag();
  else if (flagged) return false;
  return relaxedSimdWorks();
}

/** Whether the processor is an ARM. Only speed depends on it, never results. */
export function isArm(): boolean {
  if (typeof process !== "undefined" && process.arch) return process.arch.startsWith("arm");
  const text = typeof navigator !== "undefined" ? `${navigator.userAgent} ${navigator.platform}` : "";
  return /arm|aarch64|iphone|ipad|mac/i.test(text);
}
