import type { Code, ModuleBuilder } from "./assembler.ts";

/** Functions that the products of a module share: each tile or packing is written once. */
export type Functions = Map<string, number>;

/** The index of the function of this kind and shape; written on first use. */
export function shared(
  module: ModuleBuilder,
  functions: Functions,
  kind: string,
  shape: object,
  signature: readonly "i32"[],
  emit: (code: Code) => void,
): number {
  const key = kind + JSON.stringify(shape);
  let index = functions.get(key);
  if (index === undefined) {
    const made = module.function(signature);
    emit(made.code);
    index = made.index;
    functions.set(key, index);
  }
  return index;
}
