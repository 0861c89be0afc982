import type { Kernel, Operand, Stmt } from "../../kernel/kernel.ts";
import { Demand } from "./demand.ts";
import { Findings } from "./findings.ts";
import type { Access, ForStmt } from "./statement.ts";
import { survey } from "./survey.ts";

/** Facts about a kernel that the emitter needs before it writes the first instruction. See {@link Findings}. */
export interface Analysis {
  readonly varying: ReadonlySet<number>;
  readonly mutable: ReadonlySet<number>;
  readonly inline: ReadonlyMap<number, Stmt>;
  readonly splatted: ReadonlySet<number>;
  readonly scalar: ReadonlySet<number>;
  readonly unroll: ReadonlyMap<ForStmt, number>;
  readonly interleaved: ReadonlySet<ForStmt>;
  readonly accumulators: ReadonlySet<number>;
  readonly accesses: ReadonlyMap<ForStmt, readonly Access[]>;
  readonly splats: ReadonlyMap<ForStmt, readonly Operand[]>;
}

/** Walks the kernel twice: first for uses and varying values, then for the form in which each value is needed. */
export function analyse(kernel: Kernel, arm: boolean): Analysis {
  const found = new Findings();
  survey(found, kernel.body);
  new Demand(found, arm).block(kernel.body);
  return found;
}
