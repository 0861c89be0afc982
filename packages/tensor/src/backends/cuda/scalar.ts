import type { Compute } from "../../dtype.ts";
import type { Operand, Stmt } from "../../kernel/kernel.ts";
import { literal, scalarOperation } from "../native/operations.ts";

/** An operand in CUDA. */
export const nameOf = (o: Operand): string => ("id" in o ? `v${o.id}` : literal(o.constant, o.type));

/**
 * A scalar operation. Of integers, ptxas 13.0 gives the extreme of three values without the sign of a negated one (sm_90), so negations are
 * written in a form that it leaves alone, and operands of extremes pass through an operation that it cannot remove.
 */
export function scalarText(s: Extract<Stmt, { kind: "let" }>, type: Compute, constant?: number): string {
  const names = s.args.map(nameOf);
  const integers = type === "i32" || type === "u32";
  const is = (i: number, value: number) => {
    const a = s.args[i];
    return a && "constant" in a && a.constant === value;
  };
  if (integers) {
    if (s.op === "neg") return `negated(${names[0]})`;
    if (s.op === "sub" && is(0, 0)) return `negated(${names[1]})`;
    if (s.op === "mul" && (is(0, -1) || is(1, -1))) return `negated(${names[is(0, -1) ? 1 : 0]})`;
    if (s.op === "min" || s.op === "max")
      return scalarOperation(
        s.op,
        type,
        names.map((n, i) => ("id" in s.args[i] ? `(${n} ^ ZERO)` : n)),
        constant,
      );
  }
  return scalarOperation(s.op, type, names, constant);
}
