import type { Compiler } from "../kernel/program.ts";

export type BackendName = "reference" | "wasm" | "native";
export interface Backend { readonly name: BackendName; readonly compiler?: Compiler }
export function chooseBackend(name?: BackendName | "auto"): Backend {
  void name;
  return { name: "reference" };
}
