import { heap, ModuleBuilder } from "@reins/tensor/assembler";
import { Rows } from "./rows.ts";

/** Columns of a kernel, by name: bytes per row, or 0 for a table. */
export type Strides = { readonly [column: string]: number };

/** A compiled kernel: the number of rows, and the address of each column, parameter and list. */
export type Kernel = (rows: number, ...at: number[]) => void;

export interface KernelOptions<P> {
  readonly columns: Strides;
  /** Columns of doubles, equal in all rows unless the kernel is compiled with `varied`. */
  readonly parameters?: readonly string[];
  /** Expressions of parameters only: computed before the loop where possible. */
  readonly prepare?: (rows: Rows) => P;
  /** For `note`: the first number of each is the count of the entries. */
  readonly lists?: readonly string[];
}

/**
 * Compiles `body`, which handles two rows, into a loop over all of them, on first use. An odd number of rows is
 * rounded up: columns have room for it (`memory.ts`).
 */
export function kernel<P = undefined>(
  options: KernelOptions<P>,
  body: (rows: Rows, prepared: P) => void,
): (varied?: boolean) => Kernel {
  const compiled: Kernel[] = [];
  return (varied = false) => (compiled[Number(varied)] ??= compile(options, varied, body));
}

function compile<P>(
  { columns, parameters = [], prepare, lists = [] }: KernelOptions<P>,
  varied: boolean,
  body: (rows: Rows, prepared: P) => void,
): Kernel {
  const module = new ModuleBuilder();
  const names = [...Object.keys(columns), ...parameters, ...lists];
  const { code } = module.function(["i32", ...names.map(() => "i32" as const)], "main");
  const pointers = Object.fromEntries(names.map((name, i) => [name, i + 1]));
  const row = code.local("i32");
  const rows = new Rows(code, pointers, row);
  const starts = lists.map((name) => {
    const start = code.local("i32");
    code.get(pointers[name]).set(start);
    code.increase(pointers[name], 4);
    return start;
  });
  const before = varied ? undefined : prepare?.(rows);
  code.loop();
  body(rows, (before ?? prepare?.(rows)) as P);
  for (const [name, bytes] of Object.entries(columns)) code.increase(pointers[name], 2 * bytes);
  if (varied) for (const name of parameters) code.increase(pointers[name], 16);
  code.increase(row, 2).get(row).get(0).op("i32.lt_s").brIf(0).op("end");
  lists.forEach((name, i) => {
    code.get(starts[i]).get(pointers[name]).get(starts[i]).op("i32.sub");
    code.i32(2).op("i32.shr_u").i32(1).op("i32.sub").memory("i32.store");
  });
  const compiled = new WebAssembly.Module(module.finish());
  return new WebAssembly.Instance(compiled, { env: { memory: heap.memory } }).exports.main as Kernel;
}
