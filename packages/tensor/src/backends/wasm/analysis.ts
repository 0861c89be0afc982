import type { Index, Kernel, Operand, Stmt } from "../../kernel/kernel.ts";
import { type Access, type ForStmt, isConstant, scalarArgument, tripCount } from "./statement.ts";
import { unrolling } from "./unrolling.ts";

/** What the emitter has to know about a kernel before it writes the first instruction. */
export interface Analysis {
  /** Values that differ between the lanes of the vector loop they are in. */
  readonly varying: ReadonlySet<number>;
  /** Values that are assigned to. */
  readonly mutable: ReadonlySet<number>;
  /** Values used once, whose expression is written at the use instead of going through a local. */
  readonly inline: ReadonlyMap<number, Stmt>;
  /** Uniform values that a vector loop needs in all lanes, and those that are (also) used as scalars. */
  readonly splatted: ReadonlySet<number>;
  readonly scalar: ReadonlySet<number>;
  /** Vectors per iteration of a vector loop's main part; 0: too short for vectors. */
  readonly unroll: ReadonlyMap<ForStmt, number>;
  /** Vector loops whose vectors are written side by side, statement by statement, instead of one after the other. */
  readonly interleaved: ReadonlySet<ForStmt>;
  /** For accumulators: how many vectors they need and whether a scalar part is ever used. */
  readonly accumulators: ReadonlyMap<number, { vectors: number; scalar: boolean }>;
  /** Loads and stores inside a loop, however deep. */
  readonly accesses: ReadonlyMap<ForStmt, readonly Access[]>;
  /** Operands from outside that a vector loop needs in all lanes. */
  readonly splats: ReadonlyMap<ForStmt, readonly Operand[]>;
}

export function analyse(kernel: Kernel, arm: boolean): Analysis {
  const varying = new Set<number>();
  const mutable = new Set<number>();
  const lanes = new Set<number>();
  const uses = new Map<number, number>();
  const splatted = new Set<number>();
  const scalar = new Set<number>();
  const unroll = new Map<ForStmt, number>();
  const interleaved = new Set<ForStmt>();
  const accumulators = new Map<number, { vectors: number; scalar: boolean }>();
  const accesses = new Map<ForStmt, Access[]>();
  const splats = new Map<ForStmt, Operand[]>();
  const inline = new Map<number, Stmt>();

  const varies = (x: Operand) => !isConstant(x) && varying.has(x.id);
  const indexVaries = (index: Index) =>
    index.terms.some((t) => t.coefficient !== 0 && varying.has(t.variable.id)) ||
    (index.dynamic?.some((d) => varies(d.value)) ?? false);

  /** First walk: uses, mutability, varying values, accesses. */
  function survey(stmts: readonly Stmt[], loops: readonly ForStmt[], vector: ForStmt | undefined): void {
    const use = (x: Operand) => {
      if (!isConstant(x)) uses.set(x.id, (uses.get(x.id) ?? 0) + 1);
    };
    for (const s of stmts) {
      switch (s.kind) {
        case "let":
          s.args.forEach(use);
          if (vector && s.args.some(varies)) varying.add(s.result.id);
          break;
        case "load":
        case "store":
          for (const d of s.index.dynamic ?? []) use(d.value);
          if (s.kind === "store") use(s.value);
          else if (vector && indexVaries(s.index)) varying.add(s.result.id);
          for (const loop of loops) accesses.get(loop)?.push(s);
          break;
        case "for":
          if (s.from) use(s.from);
          if (typeof s.extent !== "number") use(s.extent);
          accesses.set(s, []);
          if (s.vector) {
            varying.add(s.variable.id);
            for (const id of lanes) varying.add(id);
          }
          survey(s.body, [...loops, s], s.vector ? s : vector);
          if (s.vector) for (const id of lanes) varying.delete(id);
          break;
        case "declare":
          use(s.init);
          mutable.add(s.variable.id);
          if (s.lanes) {
            lanes.add(s.variable.id);
            accumulators.set(s.variable.id, { vectors: 0, scalar: false });
          } else if (vector) varying.add(s.variable.id);
          break;
        case "assign":
          use(s.value);
          mutable.add(s.variable.id);
          break;
        case "if":
          use(s.condition);
          survey(s.then, loops, vector);
          if (s.else) survey(s.else, loops, vector);
          break;
        case "while":
          survey(s.test, loops, vector);
          use(s.condition);
          survey(s.body, loops, vector);
          break;
        case "combine":
          break;
      }
    }
  }

  /** Second walk: which uniform values are needed in all lanes, unrolling, accumulators, expression trees. */
  function plan(stmts: readonly Stmt[], vector: ForStmt | undefined, inside: Set<number>): void {
    const wide = (x: Operand) => {
      if (isConstant(x) || !inside.has(x.id)) {
        if (isConstant(x) || !varying.has(x.id)) splats.get(vector as ForStmt)?.push(x);
      } else if (!varying.has(x.id)) splatted.add(x.id);
    };
    const narrow = (x: Operand) => {
      if (!isConstant(x)) scalar.add(x.id);
    };
    for (const s of stmts) {
      switch (s.kind) {
        case "let": {
          const isWide = vector && varying.has(s.result.id);
          for (const [i, a] of s.args.entries()) {
            if (isWide && !(scalarArgument(s, i) && !varies(a))) wide(a);
            else narrow(a);
          }
          inside.add(s.result.id);
          break;
        }
        case "load":
        case "store":
          for (const d of s.index.dynamic ?? []) if (!vector || !varies(d.value)) narrow(d.value);
          if (s.kind === "load") inside.add(s.result.id);
          else if (vector && indexVaries(s.index)) wide(s.value);
          else if (!varies(s.value)) narrow(s.value);
          break;
        case "for": {
          if (s.from) narrow(s.from);
          if (typeof s.extent !== "number") narrow(s.extent);
          if (s.vector) {
            splats.set(s, []);
            for (const id of lanes) varying.add(id);
            const { vectors, sideBySide } = unrolling(s, arm, { indexVaries, varying, accumulators });
            unroll.set(s, vectors);
            if (sideBySide) interleaved.add(s);
            plan(s.body, s, new Set([s.variable.id]));
            for (const id of lanes) varying.delete(id);
          } else {
            inside.add(s.variable.id);
            plan(s.body, vector, inside);
          }
          break;
        }
        case "declare":
          if (vector && !s.lanes) {
            inside.add(s.variable.id);
            wide(s.init);
          } else narrow(s.init);
          break;
        case "assign": {
          const accumulator = accumulators.get(s.variable.id);
          if (vector) wide(s.value);
          else narrow(s.value);
          if (!accumulator) break;
          const trips = vector ? tripCount(vector) : undefined;
          if (vector) accumulator.vectors = Math.max(accumulator.vectors, unroll.get(vector) as number);
          if (trips === undefined || trips % 4 !== 0) accumulator.scalar = true;
          break;
        }
        case "if":
          narrow(s.condition);
          plan(s.then, vector, inside);
          if (s.else) plan(s.else, vector, inside);
          break;
        case "while":
          plan(s.test, vector, inside);
          narrow(s.condition);
          plan(s.body, vector, inside);
          break;
        case "combine":
          break;
      }
    }
    fold(stmts, vector);
  }

  /**
   * Marks values that are used once, in the same block, by a let, store or assign, when nothing between changes what they
   * read. Backwards, so that the place where the user is written is known. In interleaved loops every statement stays in its place.
   */
  function fold(stmts: readonly Stmt[], vector: ForStmt | undefined): void {
    if (vector && interleaved.has(vector)) return;
    const user = new Map<number, number>();
    const place: number[] = [];
    for (let i = stmts.length - 1; i >= 0; i--) {
      const s = stmts[i];
      place[i] = i;
      if (s.kind === "let" || s.kind === "load") {
        const at = uses.get(s.result.id) === 1 ? user.get(s.result.id) : undefined;
        // A uniform value that lanes need is computed once, not for every vector.
        if (at !== undefined && !splatted.has(s.result.id) && unchanged(s, stmts, i, place[at])) {
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

  function unchanged(
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

  survey(kernel.body, [], undefined);
  plan(kernel.body, undefined, new Set());
  return { varying, mutable, inline, splatted, scalar, unroll, interleaved, accumulators, accesses, splats };
}
