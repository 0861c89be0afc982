import type { Index, Kernel, Operand, Stmt, Value } from "../../kernel/kernel.ts";

export type For = Extract<Stmt, { kind: "for" }>;

/** What differs between the lanes of a vector loop: the ids of its variable and of every value that depends on it. */
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
      // Inside the loop a variable has one copy per lane, whether marked so or not.
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

/** How far neighbouring values of `variable` lie apart. */
export function coefficientOf(index: Index, variable: Value): number {
  let sum = 0;
  for (const t of index.terms) if (t.variable.id === variable.id) sum += t.coefficient;
  for (const d of index.dynamic ?? []) {
    if ("id" in d.value && d.value.id === variable.id) sum += d.coefficient;
  }
  return sum;
}

/** Ids assigned anywhere in `stmts`. */
export function assigned(stmts: readonly Stmt[], into = new Set<number>()): Set<number> {
  for (const s of stmts) {
    if (s.kind === "assign") into.add(s.variable.id);
    else if (s.kind === "for") assigned(s.body, into);
  }
  return into;
}

/**
 * How many copies of its body a vector loop runs side by side. A reduction waits for its own last addition, and a chain of
 * operations for each link, so several at once hide the waiting; more than the registers hold would only spill.
 */
export function unrolling(loop: For, lanes: ReadonlySet<number>): number {
  if (
    loop.body.some((s) => s.kind !== "let" && s.kind !== "load" && s.kind !== "store" && s.kind !== "assign")
  )
    return 1;
  const own = assigned(loop.body);
  const reduces = [...lanes].some((id) => own.has(id));
  const size = loop.body.length;
  const wish = reduces ? (size <= 64 ? 4 : 1) : size < 8 ? 1 : size <= 120 ? 4 : size <= 240 ? 2 : 1;
  if (typeof loop.extent !== "number" || loop.from) return wish;
  // With 16 lanes (the most) the main part should run twice at least.
  return loop.extent >= wish * 16 ? wish : loop.extent >= 32 ? Math.min(wish, 2) : 1;
}

/** For every accumulator with lanes, the number of copies that its loops need. */
export function accumulatorCopies(kernel: Kernel): Map<number, number> {
  const copies = new Map<number, number>();
  const declare = (stmts: readonly Stmt[], inVector: boolean) => {
    for (const s of stmts) {
      if (s.kind === "declare" && s.lanes && !inVector) copies.set(s.variable.id, 1);
      else for (const inner of children(s)) declare(inner, inVector || (s.kind === "for" && s.vector));
    }
  };
  declare(kernel.body, false);
  const lanes = new Set(copies.keys());
  const count = (stmts: readonly Stmt[]) => {
    for (const s of stmts) {
      if (s.kind === "for" && s.vector) {
        const unroll = unrolling(s, lanes);
        for (const id of assigned(s.body))
          if (lanes.has(id)) copies.set(id, Math.max(copies.get(id)!, unroll));
      } else for (const inner of children(s)) count(inner);
    }
  };
  count(kernel.body);
  return copies;
}

function children(s: Stmt): readonly (readonly Stmt[])[] {
  if (s.kind === "for") return [s.body];
  if (s.kind === "if") return s.else ? [s.then, s.else] : [s.then];
  if (s.kind === "while") return [s.test, s.body];
  return [];
}

/** Whether some address falls as a loop counts up. */
export function stepsBackwards(stmts: readonly Stmt[]): boolean {
  return stmts.some((s) => {
    if (s.kind === "load" || s.kind === "store")
      return [...s.index.terms, ...(s.index.dynamic ?? [])].some((t) => t.coefficient < 0);
    return children(s).some(stepsBackwards);
  });
}
