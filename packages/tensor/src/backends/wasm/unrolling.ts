import type { Index, Stmt } from "../../kernel/kernel.ts";
import type { ForStmt } from "./statement.ts";
import { coefficient, tripCount } from "./statement.ts";

interface Facts {
  readonly varying: ReadonlySet<number>;
  readonly accumulators: ReadonlySet<number>;
  indexVaries(index: Index): boolean;
}

/** Maximum statements that x86 runs side by side: it has half of ARM's vector registers. */
const short = 14;
/** Maximum statements to unroll four times, vector by vector. */
const longest = 48;
/** Estimated cost of a division in other instructions; it separates Adam's update (no gain) from tanh (large gain). */
const division = 10;

/**
 * Vectors per iteration of a vector loop, and whether they are interleaved statement by statement. Interleaving hides the latency
 * of a chain of operations: with four, tanh over 16384 elements took 34 µs instead of 56, softplus 101 instead of 201 (with two
 * 43 and 134; with eight 32 for tanh), on a Neoverse N1 with its two queues of 16 vector instructions. V8 orders arithmetic by its
 * depth and only loads and stores as written, so it matters that all vectors' loads come before their stores. On x86 the
 * out-of-order window spans whole iterations: long bodies run vector by vector there.
 */
export function unrolling(
  loop: ForStmt,
  arm: boolean,
  facts: Facts,
): { vectors: number; sideBySide: boolean } {
  let weight = 0;
  let divisions = 0;
  let gathers = false;
  let accumulates = false;
  const weigh = (stmts: readonly Stmt[]) => {
    for (const s of stmts) {
      if (s.kind === "for") weigh(s.body);
      else if (s.kind === "assign") accumulates ||= facts.accumulators.has(s.variable.id);
      else if (s.kind === "let") {
        weight += facts.varying.has(s.result.id) ? 1 : 0;
        divisions += s.op === "div" || s.op === "sqrt" ? 1 : 0;
      } else if (s.kind === "load" || s.kind === "store") {
        weight += facts.indexVaries(s.index) ? 1 : 0;
        const step = coefficient(s.index, loop.variable);
        const elsewhere = s.index.dynamic?.some((d) => "id" in d.value && facts.varying.has(d.value.id));
        if ((step !== 0 && step !== 1) || elsewhere) gathers = true;
      }
    }
  };
  weigh(loop.body);
  const sideBySide = arm || weight <= short;
  // Where divisions dominate there was no gain: Adam's update took 12.4 µs with one vector and 13.7 with four.
  const one = gathers || division * divisions > weight || !sideBySide;
  // Accumulators have four vectors, each with a fixed position in an iteration; in a long body they are rotated instead, which costs 8 moves a sum.
  if (accumulates) return { vectors: one && weight > longest ? 1 : 4, sideBySide: !one };
  const most = Math.floor((tripCount(loop) ?? Number.POSITIVE_INFINITY) / 4);
  const vectors = most === 0 ? 0 : one || most === 1 ? 1 : most < 4 ? 2 : 4;
  return { vectors, sideBySide: sideBySide && vectors > 1 };
}
