import type { Index, Operand, Stmt } from "../../kernel/kernel.ts";
import { type Access, type ForStmt, isConstant } from "./statement.ts";

/** Results of the walks over a kernel; each walk adds to those of the one before. */
export class Findings {
  /** Values that differ between the lanes of their vector loop. */
  readonly varying = new Set<number>();
  /** Values that are assigned to. */
  readonly mutable = new Set<number>();
  /** Number of uses of each value. */
  readonly uses = new Map<number, number>();
  /** Accumulators with lanes: they vary in vector loops only. */
  readonly accumulators = new Set<number>();
  /** Loads and stores inside a loop, at any depth. */
  readonly accesses = new Map<ForStmt, Access[]>();
  /** Uniform values that a vector loop needs in all lanes, and those that are (also) used as scalars. */
  readonly splatted = new Set<number>();
  readonly scalar = new Set<number>();
  /** Loop-invariant operands that a vector loop needs in all lanes. */
  readonly splats = new Map<ForStmt, Operand[]>();
  /** Vectors per iteration of a vector loop's main part; 0: too short for vectors. */
  readonly unroll = new Map<ForStmt, number>();
  /** Vector loops whose vectors are written side by side, statement by statement, instead of one after the other. */
  readonly interleaved = new Set<ForStmt>();
  /** Values used once, whose expression is inlined at the use instead of going through a local. */
  readonly inline = new Map<number, Stmt>();

  varies(x: Operand): boolean {
    return !isConstant(x) && this.varying.has(x.id);
  }

  readonly indexVaries = (index: Index): boolean =>
    index.terms.some((t) => t.coefficient !== 0 && this.varying.has(t.variable.id)) ||
    (index.dynamic?.some((d) => this.varies(d.value)) ?? false);

  /** Walks the body of a vector loop, in which accumulators vary. */
  inLanes(walk: () => void): void {
    for (const id of this.accumulators) this.varying.add(id);
    walk();
    for (const id of this.accumulators) this.varying.delete(id);
  }
}
