import type { Operand, Stmt } from "../../kernel/kernel.ts";
import type { Findings } from "./findings.ts";
import { type ForStmt, isConstant } from "./statement.ts";

/** First walk: uses, mutability, varying values, accesses. `loops` are the enclosing loops, `vector` the vector loop. */
export function survey(
  found: Findings,
  stmts: readonly Stmt[],
  loops: readonly ForStmt[] = [],
  vector?: ForStmt,
): void {
  const { varying, mutable, uses, accumulators, accesses } = found;
  const use = (x: Operand) => {
    if (!isConstant(x)) uses.set(x.id, (uses.get(x.id) ?? 0) + 1);
  };
  for (const s of stmts) {
    switch (s.kind) {
      case "let":
        s.args.forEach(use);
        if (vector && s.args.some((x) => found.varies(x))) varying.add(s.result.id);
        break;
      case "load":
      case "store":
        for (const d of s.index.dynamic ?? []) use(d.value);
        if (s.kind === "store") use(s.value);
        else if (vector && found.indexVaries(s.index)) varying.add(s.result.id);
        for (const loop of loops) accesses.get(loop)?.push(s);
        break;
      case "for":
        if (s.from) use(s.from);
        if (typeof s.extent !== "number") use(s.extent);
        accesses.set(s, []);
        if (s.vector) {
          varying.add(s.variable.id);
          found.inLanes(() => survey(found, s.body, [...loops, s], s));
        } else survey(found, s.body, [...loops, s], vector);
        break;
      case "declare":
        use(s.init);
        mutable.add(s.variable.id);
        if (s.lanes && !vector) accumulators.add(s.variable.id);
        else if (vector) varying.add(s.variable.id);
        break;
      case "assign":
        use(s.value);
        mutable.add(s.variable.id);
        break;
      case "if":
        use(s.condition);
        survey(found, s.then, loops, vector);
        if (s.else) survey(found, s.else, loops, vector);
        break;
      case "while":
        survey(found, s.test, loops, vector);
        use(s.condition);
        survey(found, s.body, loops, vector);
        break;
      case "combine":
        break;
    }
  }
}
