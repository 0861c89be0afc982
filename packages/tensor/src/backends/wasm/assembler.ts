import type { WasmType } from "./code.ts";
import { Code, pushUnsigned, typeByte } from "./code.ts";

export type { WasmType } from "./code.ts";
export { bitsOf, Code } from "./code.ts";
export type { MemoryOp, PlainOp, SimdOp } from "./opcodes.ts";

function pushName(bytes: number[], name: string): void {
  pushUnsigned(bytes, name.length);
  for (let i = 0; i < name.length; i++) bytes.push(name.charCodeAt(i));
}

const end = [0x0b];

/**
 * A builder of WebAssembly modules: functions without results and their exports. It imports the shared memory `env.memory`
 * and numbers that differ between processes. Code is written through `Code`.
 */
export class ModuleBuilder {
  private readonly types: string[] = [];
  private readonly typeBytes: number[][] = [];
  private readonly functions: { type: number; code: Code }[] = [];
  private readonly exports: { name: string; index: number }[] = [];
  private readonly globals: string[] = [];

  /** The index of an immutable i32 global imported as `env.<name>`. */
  global(name: string): number {
    return this.globals.push(name) - 1;
  }

  /** Adds a function without results; returns its index and its code to fill in. */
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
    for (const name of this.globals) {
      pushName(imports, "env");
      pushName(imports, name);
      imports.push(0x03, typeByte.i32, 0);
    }
    const exported = this.exports.map(({ name, index }) => {
      const bytes: number[] = [];
      pushName(bytes, name);
      bytes.push(0);
      pushUnsigned(bytes, index);
      return bytes;
    });
    const declared = this.functions.map(({ type }) => [type]);
    const bodies = this.functions.map(({ code }) => {
      const locals = code.locals();
      const size: number[] = [];
      pushUnsigned(size, locals.length + code.bytes.length + 1);
      return [size, locals, code.bytes, end];
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
    section(2, [imports], 1 + this.globals.length);
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
