import type { Operand, Stmt } from "../../kernel/kernel.ts";
import type { Findings } from "./findings.ts";
import { fold } from "./fold.ts";
import { type ForStmt, isConstant, scalarArgument } from "./statement.ts";
import { unrolling } from "./unrolling.ts";

/**
 * Second walk: the form in which each value is needed (in all lanes, or as a scalar), how far loops are unrolled, and, block
 * by block, which expressions are inlined where they are used.
 */
export class Demand {
  private readonly found: Findings;
  private readonly arm: boolean;

  constructor(found: Findings, arm: boolean) {
    this.found = found;
    this.arm = arm;
  }

  /** Walks a block; `vector` is the vector loop around it, if any, and `inside` are the values made in that loop. */
  block(stmts: readonly Stmt[], vector?: ForStmt, inside = new Set<number>()): void {
    const { found } = this;
    const wide = (x: Operand) => this.wide(x, vector, inside);
    for (const s of stmts) {
      switch (s.kind) {
        case "let": {
          const isWide = vector && found.varying.has(s.result.id);
          for (const [i, a] of s.args.entries()) {
            if (isWide && !(scalarArgument(s, i) && !found.varies(a))) wide(a);
            else this.narrow(a);
          }
          inside.add(s.result.id);
          break;
        }
        case "load":
        case "store":
          for (const d of s.index.dynamic ?? []) if (!vector || !found.varies(d.value)) this.narrow(d.value);
          if (s.kind === "load") inside.add(s.result.id);
          else if (vector && found.indexVaries(s.index)) wide(s.value);
          else if (!found.varies(s.value)) this.narrow(s.value);
          break;
        case "for":
          this.loop(s, vector, inside);
          break;
        case "declare":
          if (vector && !s.lanes) {
            inside.add(s.variable.id);
            wide(s.init);
          } else this.narrow(s.init);
          break;
        case "assign":
          if (vector) wide(s.value);
          else this.narrow(s.value);
          break;
        case "if":
          this.narrow(s.condition);
          this.block(s.then, vector, inside);
          if (s.else) this.block(s.else, vector, inside);
          break;
        case "while":
          this.block(s.test, vector, inside);
          this.narrow(s.condition);
          this.block(s.body, vector, inside);
          break;
        case "combine":
          break;
      }
    }
    fold(found, stmts, vector);
  }

  /** An operand that is needed in all lanes. */
  private wide(x: Operand, vector: ForStmt | undefined, inside: ReadonlySet<number>): void {
    const { varying, splats, splatted } = this.found;
    if (isConstant(x) || !inside.has(x.id)) {
      if (vector && (isConstant(x) || !varying.has(x.id))) splats.get(vector)?.push(x);
    } else if (!varying.has(x.id)) splatted.add(x.id);
  }

  /** An operand that is needed as a scalar. */
  private narrow(x: Operand): void {
    if (!isConstant(x)) this.found.scalar.add(x.id);
  }

  private loop(s: ForStmt, vector: ForStmt | undefined, inside: Set<number>): void {
    const { found } = this;
    if (s.from) this.narrow(s.from);
    if (typeof s.extent !== "number") this.narrow(s.extent);
    if (!s.vector) {
      inside.add(s.variable.id);
      return this.block(s.body, vector, inside);
    }
    found.splats.set(s, []);
    found.inLanes(() => {
      const { vectors, sideBySide } = unrolling(s, this.arm, found);
      found.unroll.set(s, vectors);
      if (sideBySide) found.interleaved.add(s);
      this.block(s.body, s, new Set([s.variable.id]));
    });
  }
}
