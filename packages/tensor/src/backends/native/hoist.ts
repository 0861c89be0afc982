import type { Stmt } from "../../kernel/kernel.ts";
import { isVarying } from "./analysis.ts";

/**
 * Splits a vector loop's body into invariants, which are the same for all its lanes, and the rest. A load at an index read from memory
 * stays in the loop: in a loop without iterations that index may be invalid.
 */
export function hoist(
  body: readonly Stmt[],
  varying: ReadonlySet<number>,
): { once: readonly Stmt[]; body: readonly Stmt[] } {
  const once: Stmt[] = [];
  const rest: Stmt[] = [];
  const stays = new Set(varying);
  for (const s of body) {
    const fixed =
      s.kind === "let"
        ? !s.args.some((a) => isVarying(a, stays))
        : s.kind === "load" &&
          !s.index.dynamic?.length &&
          !s.index.terms.some((t) => stays.has(t.variable.id) && t.coefficient !== 0);
    if (fixed) once.push(s);
    else {
      rest.push(s);
      if (s.kind === "let" || s.kind === "load") stays.add(s.result.id);
    }
  }
  return { once, body: rest };
}
