import { laneCount, type Stmt, type Value } from "../../kernel/kernel.ts";
import { canMask } from "./access.ts";
import { accumulation, type For } from "./analysis.ts";
import { type Lanes, type Names, scalarType, vectorType } from "./names.ts";

/** Writes the statements of a kernel. */
export interface Writer {
  readonly lines: string[];
  readonly names: Names;
  statements(list: readonly Stmt[], lanes?: Lanes): void;
  copies(body: readonly Stmt[], each: readonly Lanes[], form?: { limit?: string; inTurn?: boolean }): void;
}

/** A vector loop with accumulators. */
export interface Accumulating {
  readonly loop: For;
  /** The values that differ between its lanes. */
  readonly body: readonly Stmt[];
  readonly varying: ReadonlySet<number>;
  readonly sums: readonly Value[];
  /** Its start, and the number of iterations if constant: otherwise a multiple of all lanes. */
  readonly from: string;
  readonly trips: number | undefined;
}

/**
 * Writes the loop so that each element goes to the lane of its number. An accumulator is an array of parts, one vector each, which stays in
 * registers as long as all indices are constants. A remainder after full rounds of all lanes uses some of the parts, and a remainder of
 * that uses some lanes of the next part.
 */
export function writeAccumulation(to: Writer, sum: Accumulating): void {
  const { lines, names } = to;
  const { loop, body, varying, trips } = sum;
  const { variable } = loop;
  const { id } = variable;
  const form = accumulation(loop, names.accumulators);
  const rest = trips === undefined ? 0 : trips % laneCount;
  const masked: Lanes = { variable, varying, copy: 0, part: "0", mask: `m${id}` };
  const masks = rest > 1 && canMask(body, masked);
  /** The remainder, with all lanes at once if the processor supports masks. */
  const writeRest = (write: () => void) => {
    if (masks) {
      lines.push("#if MASKED", `{ const long j${id} = I${id}; const unsigned short m${id} = FIRST(${rest});`);
      to.statements(body, masked);
      lines.push("}", "#else");
    }
    write();
    if (masks) lines.push("#endif");
  };
  if (form === "one") {
    lines.push(`for (; I${id} + W <= n${id}; I${id} += W) {`);
    to.copies(body, [{ variable, varying, copy: 0, part: `(I${id} - ${sum.from}) / W % PARTS` }]);
    lines.push("}");
    if (rest > 0)
      writeRest(() => writeTail(to, sum, `${laneCount}`, (v) => `(${scalarType[v.type]} *)a${v.id}`));
    return;
  }
  const inTurn = form === "in turn";
  const each = (count: number) =>
    Array.from({ length: count }, (_, copy): Lanes => ({ variable, varying, copy, part: `${copy}` }));
  if (trips === undefined || trips >= laneCount) {
    lines.push(`for (; I${id} + ${laneCount} <= n${id}; I${id} += ${laneCount}) {`);
    to.copies(body, each(laneCount / 4), { limit: "PARTS", inTurn });
    lines.push("}");
  }
  if (rest === 0) return;
  writeRest(() => {
    if (rest >= 4) {
      lines.push("{");
      to.copies(body, each(rest >> 2), { limit: `${rest} / W`, inTurn });
      lines.push("}", `I${id} += ${rest} / W * W;`);
    }
    lines.push(`#if ${rest} % W`, "{");
    for (const v of sum.sums)
      lines.push(
        `${scalarType[v.type]} t${v.id}[W]; *(${vectorType[v.type]}m *)t${v.id} = a${v.id}[${rest} / W];`,
      );
    writeTail(to, sum, "W", (v) => `t${v.id}`);
    // Lane by lane: loading a vector from pieces that were just stored would stall until all of them reach the cache.
    for (const v of sum.sums)
      lines.push(
        `#define L(l) t${v.id}[l]`,
        `a${v.id}[${rest} / W] = (${vectorType[v.type]}){ LANES };`,
        "#undef L",
      );
    lines.push("}", "#endif");
  });
}

/** One element at a time, each on its own lane among the `count` lanes at `lanesOf` an accumulator. */
function writeTail(
  to: Writer,
  { loop, body, sums, from }: Accumulating,
  count: string,
  lanesOf: (sum: Value) => string,
): void {
  const { lines } = to;
  const { id } = loop.variable;
  lines.push(
    `for (; I${id} < n${id}; I${id}++) { const long j${id} = I${id}, l${id} = (I${id} - ${from}) & (${count} - 1);`,
  );
  for (const v of sums) lines.push(`${scalarType[v.type]} v${v.id} = (${lanesOf(v)})[l${id}];`);
  to.statements(body);
  for (const v of sums) lines.push(`(${lanesOf(v)})[l${id}] = v${v.id};`);
  lines.push("}");
}
