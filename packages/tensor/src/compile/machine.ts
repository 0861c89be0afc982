import type { Compiler } from "../kernel/program.ts";
import type { Storage } from "../tensor.ts";
import type { CompileOptions } from "./compile.ts";
import type { Traced } from "./specialise.ts";
export interface Machine { explain(bind: () => unknown): string }
export function prepareMachine(_traced: Traced, _compiler: Compiler, _options: CompileOptions): Machine {
  throw new Error("not yet");
}
export function machineBinding(_m: Machine, _i: readonly Storage[], _o: readonly Storage[]): { run(): void; dispose(): void } {
  throw new Error("not yet");
}
