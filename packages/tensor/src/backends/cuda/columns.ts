import type { Index, Kernel, Operand, Stmt } from "../../kernel/kernel.ts";
import type { For } from "../native/analysis.ts";

/** A kernel of column sums as one loop over columns, in which the partial sums are variables. */
export interface ColumnLoop {
  /** Statements before the loop. */
  readonly before: readonly Stmt[];
  /** What each column executes; its vector loops stand for their bodies. */
  readonly each: readonly Stmt[];
  /** One of the vector loops, which all have the same iterations. */
  readonly loop: For;
}

/**
 * The loops of a kernel of column sums, turned inside out: its vector loops have the same columns, and a thread owns its columns.
 * Undefined if a statement outside of the vector loops stores, or if scratch memory is more than one element per column.
 */
export function columnLoop(body: readonly Stmt[], { columns, params }: Kernel): ColumnLoop | undefined {
  if (!columns) return undefined;
  const loops: For[] = [];
  const fits = (s: Stmt): boolean => {
    if (s.kind === "let" || s.kind === "load") return true;
    if (s.kind !== "for") return false;
    if (!s.vector) return s.body.every(fits);
    loops.push(s);
    return s.body.every(
      (x) =>
        x.kind === "let" ||
        ((x.kind === "load" || x.kind === "store") && (!params[x.param].scratch || isOwn(x.index, s))),
    );
  };
  if (!body.every(fits) || loops.length === 0) return undefined;
  const [loop] = loops;
  if (!loops.every((l) => same(l.from ?? 0, loop.from ?? 0) && same(l.extent, loop.extent))) return undefined;
  const start = body.findIndex((s) => s.kind === "for");
  return { before: body.slice(0, start), each: body.slice(start), loop };
}

/** Whether an index is the loop's variable. */
const isOwn = ({ constant, terms, dynamic }: Index, loop: For) =>
  constant === 0 &&
  !dynamic?.length &&
  terms.length === 1 &&
  terms[0].coefficient === 1 &&
  terms[0].variable.id === loop.variable.id;

const numberOf = (x: number | Operand) =>
  typeof x === "number" ? x : "constant" in x ? x.constant : `v${x.id}`;
const same = (a: number | Operand, b: number | Operand) => numberOf(a) === numberOf(b);

/** The body of a vector loop with its stores last: they write memory that the kernel does not read, so that loads need not wait for them. */
export const storesLast = (body: readonly Stmt[]): readonly Stmt[] => [
  ...body.filter((s) => s.kind !== "store"),
  ...body.filter((s) => s.kind === "store"),
];
