import { type Index, laneCount, type Operand, type Stmt, type Value } from "../../kernel/kernel.ts";

export type For = Extract<Stmt, { kind: "for" }>;

/** The varying values of a vector loop: the ids of its variable and of every value that depends on it. */
export function varyingValues(
  variable: Value,
  body: readonly Stmt[],
  accumulators: Iterable<number>,
): Set<number> {
  const varying = new Set<number>(accumulators);
  varying.add(variable.id);
  const walk = (stmts: readonly Stmt[]) => {
    for (const s of stmts) {
      if (s.kind === "let" && s.args.some((a) => isVarying(a, varying))) varying.add(s.result.id);
      else if (s.kind === "load" && indexVaries(s.index, variable, varying)) varying.add(s.result.id);
      // Inside the loop a variable has one copy per lane, marked or not.
      else if (s.kind === "declare") varying.add(s.variable.id);
      else if (s.kind === "for") walk(s.body);
    }
  };
  walk(body);
  return varying;
}

export function isVarying(operand: Operand, varying: ReadonlySet<number>): boolean {
  return "id" in operand && varying.has(operand.id);
}

export function indexVaries(index: Index, variable: Value, varying: ReadonlySet<number>): boolean {
  return (
    coefficientOf(index, variable) !== 0 || (index.dynamic ?? []).some((d) => isVarying(d.value, varying))
  );
}

/** The distance in memory between neighbouring values of `variable`. */
export function coefficientOf(index: Index, variable: Value): number {
  let sum = 0;
  for (const t of index.terms) if (t.variable.id === variable.id) sum += t.coefficient;
  for (const d of index.dynamic ?? []) {
    if ("id" in d.value && d.value.id === variable.id) sum += d.coefficient;
  }
  return sum;
}

/** The ids of all variables that are assigned in `stmts`. */
export function assigned(stmts: readonly Stmt[], into = new Map<number, Value>()): Map<number, Value> {
  for (const s of stmts) {
    if (s.kind === "assign") into.set(s.variable.id, s.variable);
    else if (s.kind === "for") assigned(s.body, into);
  }
  return into;
}

/**
 * Number of interleaved copies of the body of a vector loop without accumulators. Dependent operations wait for each other, so
 * several copies hide the latency; more than the registers hold would only spill.
 */
export function unrolling(loop: For): number {
  if (!isPlain(loop)) return 1;
  const size = loop.body.length;
  const { varying, uniform } = mostLive(loop);
  let copies = size < 8 ? 1 : size <= 120 ? 4 : size <= 240 ? 2 : 1;
  while (copies > 1 && copies * varying + Math.min(uniform, 8) > registers) copies /= 2;
  if (typeof loop.extent !== "number" || loop.from) return copies;
  // With 16 lanes (the maximum) the main part should run at least once.
  while (copies > 2 && loop.extent < copies * 16) copies /= 2;
  return loop.extent >= 32 ? copies : 1;
}

const isPlain = (loop: For) =>
  loop.body.every((s) => s.kind === "let" || s.kind === "load" || s.kind === "store" || s.kind === "assign");

/**
 * How a loop visits the parts of its accumulators, a vector each: all parts in one iteration, interleaved by statement or, if registers are
 * few, one part after the other; or one part per iteration, if the body is long or the parts would not stay in registers.
 */
export function accumulation(
  loop: For,
  accumulators: ReadonlySet<number>,
): "side by side" | "in turn" | "one" {
  const sums = [...assigned(loop.body).keys()].filter((id) => accumulators.has(id)).length;
  if (!isPlain(loop) || loop.body.length > longestCopied || parts * sums > mostParts) return "one";
  const { varying, uniform } = mostLive(loop);
  return parts * (varying + sums) + Math.min(uniform, 8) > registers ? "in turn" : "side by side";
}

/** Maximum number of vectors of an accumulator's lanes, on processors with the shortest vectors. */
const parts = laneCount / 4;
/** Maximum statements of a body that is written once per part, and maximum parts that stay in registers. */
const longestCopied = 64;
const mostParts = 28;

/** Vector registers plus a few: compilers reorder operations so that fewer values are live. */
const registers = 36;

/** Maximum number of live values of a loop's body: its own vectors besides the accumulators, and values that its lanes share. */
function mostLive(loop: For): { varying: number; uniform: number } {
  const own = assigned(loop.body);
  const varying = varyingValues(loop.variable, loop.body, own.keys());
  const last = new Map<number, number>();
  const shared = new Set<number>();
  const use = (x: Operand, i: number) => {
    if (!("id" in x) || own.has(x.id)) return;
    if (varying.has(x.id)) last.set(x.id, i);
    else shared.add(x.id);
  };
  loop.body.forEach((s, i) => {
    if (s.kind === "let") for (const a of s.args) use(a, i);
    else if (s.kind === "store" || s.kind === "assign") use(s.value, i);
    if (s.kind === "load" || s.kind === "store") for (const d of s.index.dynamic ?? []) use(d.value, i);
  });
  let live = 0;
  let most = 0;
  const ends = new Map<number, number>();
  loop.body.forEach((s, i) => {
    if ((s.kind === "let" || s.kind === "load") && varying.has(s.result.id)) {
      const end = last.get(s.result.id) ?? i;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      live++;
    }
    most = Math.max(most, live);
    live -= ends.get(i) ?? 0;
  });
  return { varying: most, uniform: shared.size };
}

/** The accumulators with lanes. In a vector loop every variable has lanes anyway. */
export function accumulatorsOf(stmts: readonly Stmt[], into = new Set<number>()): Set<number> {
  for (const s of stmts) {
    if (s.kind === "declare" && s.lanes) into.add(s.variable.id);
    else if (!(s.kind === "for" && s.vector)) for (const inner of children(s)) accumulatorsOf(inner, into);
  }
  return into;
}

/** The number of iterations of a loop, if constant. */
export function tripCount({ from, extent }: For): number | undefined {
  const known = (x: number | Operand) =>
    typeof x === "number" ? x : "constant" in x ? x.constant : undefined;
  const [start, end] = [known(from ?? 0), known(extent)];
  return start === undefined || end === undefined ? undefined : Math.max(0, end - start);
}

/**
 * A loop's body in pieces whose copies are written one after the other: most are one statement, but from the read of an accumulator
 * to its assignment the copies must not be interleaved.
 */
export function pieces(body: readonly Stmt[], lanes: ReadonlySet<number>): Stmt[][] {
  const out: Stmt[][] = [];
  for (let i = 0; i < body.length; ) {
    let end = i;
    for (let k = i; k <= end; k++) {
      const s = body[k];
      const args = s.kind === "let" ? s.args : [];
      for (const a of args) {
        if (!("id" in a) || !lanes.has(a.id)) continue;
        const at = body.findIndex((x, j) => j > k && x.kind === "assign" && x.variable.id === a.id);
        end = Math.max(end, at);
      }
    }
    out.push(body.slice(i, end + 1));
    i = end + 1;
  }
  return out;
}

function children(s: Stmt): readonly (readonly Stmt[])[] {
  if (s.kind === "for") return [s.body];
  if (s.kind === "if") return s.else ? [s.then, s.else] : [s.then];
  if (s.kind === "while") return [s.test, s.body];
  return [];
}

/** Whether an address decreases as a loop counts up. */
export function stepsBackwards(stmts: readonly Stmt[]): boolean {
  return stmts.some((s) => {
    if (s.kind === "load" || s.kind === "store")
      return [...s.index.terms, ...(s.index.dynamic ?? [])].some((t) => t.coefficient < 0);
    return children(s).some(stepsBackwards);
  });
}
