import { type Kernel, laneCount, type Operand, type Stmt, type Value } from "../../kernel/kernel.ts";
import { accumulatorsOf, assigned, type For, tripCount } from "../native/analysis.ts";
import { scalarType } from "../native/names.ts";

/**
 * Long sums of few rows. Their terms are added by 16 lanes in a prescribed order, but may be computed by any thread: all warps but the first
 * compute a tile of terms into shared memory while the first adds those of the tile before, in order.
 */
export const stagedThreads = 1024;
const computing = stagedThreads - 32;
/** Bytes of shared memory for the terms of two tiles. */
export const stageBytes = 32768;
/** Maximum iterations of a thread whose loads wait together. */
const mostAhead = 5;
/** Iterations from which a tile pays off. */
const fewestTerms = 512;

/** The body of a vector loop in three parts: values, stores, and what depends on accumulators. */
interface Parts {
  readonly values: readonly Stmt[];
  readonly stores: readonly Stmt[];
  readonly sums: readonly Stmt[];
  /** Values that the sums read. */
  readonly terms: readonly Value[];
  /** Values that the stores read. */
  readonly stored: readonly Value[];
}

/** Whether all accumulators of a kernel's body are those of loops that can be staged, one of them long. */
export function isStageable(body: readonly Stmt[], params: Kernel["params"]): boolean {
  const lanes = accumulatorsOf(body);
  if (lanes.size === 0 || params.some((p) => p.half)) return false;
  const loops = vectorLoops(body).filter((l) => [...assigned(l.body).keys()].some((id) => lanes.has(id)));
  return (
    loops.every((l) => tripCount(l) !== undefined && partsOf(l)) &&
    loops.some((l) => tripCount(l)! >= fewestTerms)
  );
}

const vectorLoops = (list: readonly Stmt[]): For[] =>
  list.flatMap((s) => {
    if (s.kind === "for") return s.vector ? [s] : vectorLoops(s.body);
    if (s.kind === "while") return [...vectorLoops(s.test), ...vectorLoops(s.body)];
    return s.kind === "if" ? [...vectorLoops(s.then), ...vectorLoops(s.else ?? [])] : [];
  });

function partsOf({ body }: For): Parts | undefined {
  const values: Stmt[] = [];
  const stores: Stmt[] = [];
  const sums: Stmt[] = [];
  const own = new Map<number, Value>();
  const late = new Set<number>(assigned(body).keys());
  const isLate = (x: Operand) => "id" in x && late.has(x.id);
  for (const s of body) {
    if (s.kind === "assign") sums.push(s);
    else if (s.kind === "let" && s.args.some(isLate)) {
      sums.push(s);
      late.add(s.result.id);
    } else if (operandsOf(s).some(isLate)) return undefined;
    else if (s.kind === "store") stores.push(s);
    else if (s.kind !== "let" && (s.kind !== "load" || stores.length > 0)) return undefined;
    else {
      values.push(s);
      own.set(s.result.id, s.result);
    }
  }
  const read = (list: readonly Stmt[]) => [
    ...new Set(list.flatMap(operandsOf).flatMap((x) => ("id" in x ? (own.get(x.id) ?? []) : []))),
  ];
  return { values, stores, sums, terms: read(sums), stored: read(stores) };
}

/** The values that a statement without a body reads, apart from loop variables. */
function operandsOf(s: Stmt): readonly Operand[] {
  const places = (s.kind === "load" || s.kind === "store" ? s.index.dynamic : undefined) ?? [];
  const read = s.kind === "let" ? s.args : s.kind === "store" || s.kind === "assign" ? [s.value] : [];
  return [...read, ...places.map((d) => d.value)];
}

/** Writes a loop with accumulators for all threads of a block; undefined if it has none. `write` gives the text of statements. */
export function stagedLoop(
  loop: For,
  from: string,
  to: string,
  write: (list: readonly Stmt[]) => readonly string[],
): readonly string[] | undefined {
  const parts = assigned(loop.body).size > 0 ? partsOf(loop) : undefined;
  if (!parts) return undefined;
  const { values, stores, sums, terms, stored } = parts;
  const tile = 2 ** Math.floor(Math.log2(stageBytes / 8 / Math.max(1, terms.length)));
  const ahead = Math.min(mostAhead, Math.ceil(tile / computing));
  const held = [...new Set([...terms, ...stored])];
  const element = (v: Value, side: string, at: string) =>
    `((${scalarType[v.type]} *)stage)[(${terms.indexOf(v)} * 2 + ${side}) * ${tile} + ${at}]`;
  const variable = (base: string) => `const i32 v${loop.variable.id} = ${base} + at;`;
  const each = `_Pragma("unroll") for (i32 u = 0; u < ${ahead}; u++) { const i32 at`;
  const position = `first + u * ${computing}`;
  return [
    `for (i32 base = ${from}, side = 0;; base += ${tile}, side ^= 1) {`,
    "if (lane >= 32) {",
    `const i32 here = ${to} - base < ${tile} ? ${to} - base : ${tile};`,
    `for (i32 first = lane - 32; first < here; first += ${ahead * computing}) {`,
    ...held.map((v) => `${scalarType[v.type]} h${v.id}[${ahead}];`),
    // Past the end the last element is computed again, so that no branch separates the loads.
    `${each} = ${position} < here ? ${position} : here - 1; ${variable("base")}`,
    ...write(values),
    ...held.map((v) => `h${v.id}[u] = v${v.id};`),
    "}",
    `${each} = ${position}; ${variable("base")} if (at < here) {`,
    ...held.map((v) => `const ${scalarType[v.type]} v${v.id} = h${v.id}[u];`),
    ...write(stores),
    ...terms.map((v) => `${element(v, "side", "at")} = v${v.id};`),
    "}}",
    "}",
    `} else if (lane < ${laneCount} && base > ${from}) {`,
    `const i32 last = base - ${tile}, there = ${to} - last < ${tile} ? ${to} - last : ${tile};`,
    `_Pragma("unroll 8") for (i32 at = lane; at < there; at += ${laneCount}) { ${variable("last")}`,
    ...terms.map((v) => `const ${scalarType[v.type]} v${v.id} = ${element(v, "(side ^ 1)", "at")};`),
    ...write(sums),
    "}",
    "}",
    "__syncthreads();",
    `if (base >= ${to}) break;`,
    "}",
  ];
}
