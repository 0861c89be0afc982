import type { Index, Operand, Stmt, Value } from "../../kernel/kernel.ts";

export type ForStmt = Extract<Stmt, { kind: "for" }>;

export type Access = Extract<Stmt, { kind: "load" | "store" }>;

export const isConstant = (x: Operand): x is Extract<Operand, { constant: number }> => "constant" in x;

/** The coefficient of `variable` in an index. */
export function coefficient(index: Index, variable: Value): number {
  let sum = 0;
  for (const term of index.terms) if (term.variable.id === variable.id) sum += term.coefficient;
  return sum;
}

/** The number of iterations, if constant. */
export function tripCount(loop: ForStmt): number | undefined {
  const from = loop.from === undefined ? 0 : isConstant(loop.from) ? loop.from.constant : undefined;
  const extent =
    typeof loop.extent === "number"
      ? loop.extent
      : isConstant(loop.extent)
        ? loop.extent.constant
        : undefined;
  return from === undefined || extent === undefined ? undefined : Math.max(0, extent - from);
}

/** Shifts take their amount as a scalar when all lanes share it. */
export const scalarArgument = (stmt: Extract<Stmt, { kind: "let" }>, i: number) =>
  i === 1 && (stmt.op === "shl" || stmt.op === "shr");
