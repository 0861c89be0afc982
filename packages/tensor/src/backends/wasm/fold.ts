import type { Stmt } from "../../kernel/kernel.ts";
import type { Findings } from "./findings.ts";
import { type ForStmt, isConstant } from "./statement.ts";

/**
 * Marks values that are used once, in the same block, by a let, store or assign, if nothing in between changes the memory or
 * variables that they read. Runs backwards, so that the position of the use is known. In interleaved loops nothing moves.
 */
export function fold(found: Findings, stmts: readonly Stmt[], vector: ForStmt | undefined): void {
  const { interleaved, uses, splatted, varying, inline } = found;
  if (vector && interleaved.has(vector)) return;
  const user = new Map<number, number>();
  const place: number[] = [];
  for (let i = stmts.length - 1; i >= 0; i--) {
    const s = stmts[i];
    place[i] = i;
    if (s.kind === "let" || s.kind === "load") {
      const at = uses.get(s.result.id) === 1 ? user.get(s.result.id) : undefined;
      // A uniform value that lanes need is computed once, not for every vector.
      if (at !== undefined && !splatted.has(s.result.id) && unchanged(found, s, stmts, i, place[at])) {
        const target = stmts[at];
        const uniformTarget = target.kind === "let" && !varying.has(target.result.id);
        if (!vector || varying.has(s.result.id) || uniformTarget) {
          inline.set(s.result.id, s);
          place[i] = place[at];
        }
      }
    }
    const args = s.kind === "let" ? s.args : s.kind === "store" || s.kind === "assign" ? [s.value] : [];
    for (const a of args) if (!isConstant(a)) user.set(a.id, i);
  }
}

/** Whether the inputs of `s` are the same at position `to` as at its own position. */
function unchanged(
  { mutable }: Findings,
  s: Extract<Stmt, { kind: "let" | "load" }>,
  stmts: readonly Stmt[],
  from: number,
  to: number,
): boolean {
  const reads = s.kind === "let" ? s.args : (s.index.dynamic ?? []).map((d) => d.value);
  const fragile = s.kind === "load" || reads.some((a) => !isConstant(a) && mutable.has(a.id));
  if (!fragile) return true;
  for (let i = from + 1; i < to; i++) {
    const between = stmts[i];
    if (between.kind !== "let" && between.kind !== "load") return false;
  }
  return true;
}
