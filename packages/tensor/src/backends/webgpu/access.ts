import { computeType } from "../../dtype.ts";
import type { Index, Kernel } from "../../kernel/kernel.ts";
import { typeName } from "./operations.ts";
import type { Slot } from "./prelude.ts";

/** The workgroup's own memory. */
export const room = "room";

/** The array that holds a parameter's elements: a region of memory, or scratch memory of the workgroup. */
export interface Home {
  readonly name: string;
  readonly slot: Slot;
}

/** Reads and writes the elements of a kernel's parameters in WGSL. Parameter i starts at the word, or byte, `p<i>` of its home. */
export class Access {
  private readonly params: Kernel["params"];
  private readonly homes: readonly Home[];

  constructor(params: Kernel["params"], homes: readonly Home[]) {
    this.params = params;
    this.homes = homes;
  }

  load(param: number, index: Index): string {
    const { storage } = this.params[param];
    const { name, slot } = this.homes[param];
    const at = `p${param} + u32(${indexText(index)})`;
    if (storage === "bool") return `byte_${name}(${at}) != 0u`;
    if (storage === "u8") return `i32(byte_${name}(${at}))`;
    const value = slot === "atomic" ? `atomicLoad(&${name}[${at}])` : `${name}[${at}]`;
    return storage === "u32" ? value : `bitcast<${typeName[computeType(storage)]}>(${value})`;
  }

  store(param: number, index: Index, value: string): string {
    const { storage } = this.params[param];
    const { name, slot } = this.homes[param];
    const at = `p${param} + u32(${indexText(index)})`;
    if (storage === "bool") return `put_${name}(${at}, select(0u, 1u, ${value}));`;
    if (storage === "u8") return `put_${name}(${at}, u32(${value}));`;
    const bits = storage === "u32" ? value : `bitcast<u32>(${value})`;
    return slot === "atomic" ? `atomicStore(&${name}[${at}], ${bits});` : `${name}[${at}] = ${bits};`;
  }
}

/** An element's index. Tensors have fewer than 2³¹ elements. */
function indexText(index: Index): string {
  const parts: string[] = [];
  const add = (text: string, coefficient: number) => {
    if (coefficient === 1) parts.push(text);
    else if (coefficient !== 0) parts.push(`${text} * ${coefficient < 0 ? `(${coefficient})` : coefficient}`);
  };
  for (const { variable, coefficient } of index.terms) add(`v${variable.id}`, coefficient);
  let { constant } = index;
  for (const { value, coefficient } of index.dynamic ?? []) {
    if ("id" in value) add(value.type === "u32" ? `i32(v${value.id})` : `v${value.id}`, coefficient);
    else constant += value.constant * coefficient;
  }
  if (constant !== 0 || parts.length === 0) parts.push(constant < 0 ? `(${constant})` : `${constant}`);
  return parts.join(" + ");
}
