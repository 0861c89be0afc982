import type { Kernel, Stmt } from "../../kernel/kernel.ts";
import { canMask, loadText, storeText } from "./access.ts";
import { writeAccumulation } from "./accumulate.ts";
import {
  assigned,
  type For,
  pieces,
  stepsBackwards,
  tripCount,
  unrolling,
  varyingValues,
} from "./analysis.ts";
import { assignText, combineText, declareText, letText } from "./compute.ts";
import { hoist } from "./hoist.ts";
import { type Lanes, memoryType, Names, suffix } from "./names.ts";

/** A kernel's declaration in C. Not static: a large program's kernels are compiled separately from its steps. */
export function kernelHead(kernel: Kernel, name: string): string {
  const params = kernel.params.map((p, i) => `${memoryType[p.storage]} *p${i}, `).join("");
  const length = kernel.length ? `, const i32 v${kernel.length.id}` : "";
  return `void ${name}(${params}const long begin, const long end${length})`;
}

/** Writes a kernel as the C function `name(pointers…, begin, end, length?)`; the text needs `prelude` before it. */
export function emitKernel(kernel: Kernel, name: string): string {
  const writer = new KernelWriter(kernel);
  const { lines } = writer;
  if (stepsBackwards(kernel.body)) lines.push("PLAIN_LOOPS");
  lines.push(`/* ${kernel.label.replaceAll("*/", "* /")} */`, `${kernelHead(kernel, name)} {`);
  const { parallel: variable, body } = kernel;
  if (straightLine(kernel)) {
    writer.vectorLoop({ kind: "for", variable, extent: 0, vector: true, body }, "begin", "end", undefined);
  } else {
    lines.push(`for (long j${variable.id} = begin; j${variable.id} < end; j${variable.id}++) {`);
    writer.statements(body);
    lines.push("}");
  }
  lines.push("}");
  return lines.join("\n");
}

/** A kernel without inner loops runs its parallel variable in lanes, since its iterations are independent too. */
function straightLine(kernel: Kernel): boolean {
  return (
    !kernel.params.some((p) => p.scratch) &&
    kernel.body.every((s) => s.kind === "let" || s.kind === "load" || s.kind === "store")
  );
}

/** The statements of one kernel, line by line. With `lanes` they are those of a vector loop. */
class KernelWriter {
  readonly lines: string[] = [];
  readonly names: Names;
  private readonly params: Kernel["params"];

  constructor(kernel: Kernel) {
    this.params = kernel.params;
    this.names = new Names(kernel);
  }

  statements(list: readonly Stmt[], lanes?: Lanes): void {
    for (const s of list) this.statement(s, lanes);
  }

  private statement(s: Stmt, lanes?: Lanes): void {
    const { lines, names } = this;
    switch (s.kind) {
      case "let":
        lines.push(letText(s, names, lanes));
        return;
      case "load":
        lines.push(...loadText(s, this.params[s.param].storage, names, lanes));
        return;
      case "store":
        lines.push(...storeText(s, this.params[s.param].storage, names, lanes));
        return;
      case "declare":
        lines.push(...declareText(s, names, lanes));
        return;
      case "assign":
        lines.push(assignText(s, names, lanes));
        return;
      case "combine":
        lines.push(...combineText(s));
        return;
      case "for":
        this.loop(s, lanes);
        return;
      case "if":
        lines.push(`if (${names.scalar(s.condition)}) {`);
        this.statements(s.then);
        if (s.else) {
          lines.push("} else {");
          this.statements(s.else);
        }
        lines.push("}");
        return;
      case "while":
        lines.push("for (;;) {");
        this.statements(s.test);
        lines.push(`if (!(${names.scalar(s.condition)})) break;`);
        this.statements(s.body);
        lines.push("}");
        return;
    }
  }

  private loop(s: For, lanes?: Lanes): void {
    const { lines, names } = this;
    const from = s.from ? `(long)${names.scalar(s.from)}` : "0";
    const to = typeof s.extent === "number" ? `${s.extent}` : `(long)${names.scalar(s.extent)}`;
    if (s.vector && !lanes) return this.vectorLoop(s, from, to, tripCount(s));
    const { id } = s.variable;
    names.enter(s.variable);
    lines.push(`for (long j${id} = ${from}; j${id} < ${to}; j${id}++) {`);
    this.statements(s.body, lanes);
    lines.push("}");
  }

  /** A vector loop: unrolled, then one vector at a time, then one element at a time. `trips` is the number of iterations, if constant. */
  vectorLoop(loop: For, from: string, to: string, trips: number | undefined): void {
    const { lines, names } = this;
    const { id } = loop.variable;
    names.enter(loop.variable);
    const varying = varyingValues(loop.variable, loop.body, names.accumulators);
    // Iterations are independent, so their writes cannot change loop invariants: computed once, before the loop.
    const { once, body } = hoist(loop.body, varying);
    lines.push(`{ long I${id} = ${from}; const long n${id} = ${to};`);
    this.statements(once);
    const sums = [...assigned(loop.body).values()].filter((sum) => names.accumulators.has(sum.id));
    if (sums.length > 0) writeAccumulation(this, { loop, body, varying, sums, from, trips });
    else this.independent(loop, body, varying, trips);
    lines.push("}");
  }

  /** Independent iterations. */
  private independent(
    loop: For,
    body: readonly Stmt[],
    varying: ReadonlySet<number>,
    trips: number | undefined,
  ): void {
    const { variable } = loop;
    const unroll = unrolling(loop);
    const vectors = (count: number) => {
      const each = Array.from({ length: count }, (_, copy): Lanes => ({ variable, varying, copy }));
      this.lines.push(this.head(variable.id, count > 1 ? `${count} * W` : "W"));
      this.copies(body, each);
      this.lines.push("}");
    };
    if (trips === undefined || trips >= 4) {
      if (unroll > 1) vectors(unroll);
      if (unroll === 1 || trips === undefined || trips % (16 * unroll) !== 0) vectors(1);
    }
    // 16 is the widest vector: its multiples have no remainder on any processor.
    if (trips === undefined || trips % 16 !== 0) this.rest(loop, body, varying, trips);
  }

  /** The remainder: a masked vector if the processor supports it, otherwise one element at a time. */
  private rest(
    { variable }: For,
    body: readonly Stmt[],
    varying: ReadonlySet<number>,
    trips: number | undefined,
  ): void {
    const { lines } = this;
    const { id } = variable;
    const counted = `const long j${id} = I${id};`;
    const lanes: Lanes = { variable, varying, copy: 0, mask: `m${id}` };
    const masks = (trips === undefined || trips % 16 > 1) && canMask(body, lanes);
    if (masks) {
      lines.push("#if MASKED", `if (I${id} < n${id}) { ${counted}`);
      lines.push(`const unsigned short m${id} = FIRST(n${id} - I${id});`);
      this.statements(body, lanes);
      lines.push("}", "#else");
    }
    lines.push(this.head(id, "1"), counted);
    this.statements(body);
    lines.push("}");
    if (masks) lines.push("#endif");
  }

  private head(id: number, step: string): string {
    return `for (; I${id} + ${step} <= n${id}; I${id} += ${step}) {`;
  }

  /** Copies of a body, interleaved or in turn. With `limit` a copy exists only if that constant exceeds its number. */
  copies(
    body: readonly Stmt[],
    each: readonly Lanes[],
    { limit, inTurn }: { limit?: string; inTurn?: boolean } = {},
  ): void {
    const { lines, names } = this;
    const { id } = each[0].variable;
    const { varying } = each[0];
    const guarded = (lanes: Lanes, write: () => void) => {
      if (limit) lines.push(`#if ${limit} > ${lanes.copy}`);
      write();
      if (limit) lines.push("#endif");
    };
    for (const lanes of each)
      lines.push(`const long j${id}${suffix(lanes)} = I${id}${lanes.copy ? ` + ${lanes.copy} * W` : ""};`);
    const once = (s: Stmt) => (s.kind === "let" || s.kind === "load") && !varying.has(s.result.id);
    // Interleaved by statement: a small scheduling window then still contains independent work.
    for (const piece of inTurn ? [body] : pieces(body, names.accumulators))
      for (const lanes of each)
        guarded(lanes, () => {
          for (const s of piece) if (!lanes.copy || !once(s)) this.statement(s, lanes);
        });
  }
}
