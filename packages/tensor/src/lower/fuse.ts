import type { Graph, Node } from "../graph.ts";
import { needed } from "../reference/interpret.ts";
import { sizeOf, stridesOf } from "../shape.ts";
import { type Dims, dimsOf, equal, flatten, home, refine } from "./affine.ts";
import { operations } from "./operations.ts";
import { sink } from "./sink.ts";
import { tails } from "./tails.ts";
import {
  homeOf,
  indirect,
  isColumn,
  keptDims,
  levelOf,
  readsOf,
  reducedDims,
  sameDims,
  spreadFlags,
  type Unit,
} from "./unit.ts";
import { isLeaf, isView, isWritten, reduceOps, resolve, type Source } from "./views.ts";
import { worthwhile } from "./weight.ts";

const groupable = (n: Node) => operations[n.op] !== undefined || reduceOps.has(n.op) || indirect(n);

/** Operations whose kernels do not take strided arguments. */
const inOnePiece: ReadonlySet<string> = new Set(["cholesky", "triangularSolve", "jacobi", "scan"]);

const largestGroup = 80;

export interface Fusion {
  /** For each output, the node in memory that has its elements in order. */
  readonly results: readonly Node[];
  readonly units: readonly Unit[];
  readonly unitOf: ReadonlyMap<Node, Unit>;
  /** The node in memory that has exactly the elements of an argument of an opaque operation, in order. */
  contiguous(input: Node): Node;
  /** Nodes that other units, or the caller, read from memory. */
  readonly stored: ReadonlySet<Node>;
  /** Which units read each of them. */
  readonly readers: ReadonlyMap<Node, ReadonlySet<Unit>>;
}

/** Groups the nodes that `outputs` need into kernels. */
export function fuse(graph: Graph, outputs: readonly Node[]): Fusion {
  const unitOf = new Map<Node, Unit>();
  const units: Unit[] = [];
  const stored = new Set<Node>();
  const inMemory = (n: Node) => unitOf.has(n);
  let searches = 0;

  const create = (kind: Unit["kind"], node: Node, dims: Dims, reduced?: boolean[]): Unit => {
    const unit: Unit = { id: units.length, kind, nodes: [node], dims, reduced, deps: new Set(), stamp: 0 };
    units.push(unit);
    unitOf.set(node, unit);
    return unit;
  };

  /** What `contiguous` found. */
  const pieces = new Map<Node, Node>();

  /** Gives a view, or a leaf, memory of its own. */
  const store = (view: Node): void => {
    const unit = create("group", view, dimsOf(view.shape));
    version++;
    for (const s of sources(view, unit.dims)) link(unit, s.base);
  };

  /** What an indirect read needs to lie in memory: the table, and a run-time start. */
  const tables = (node: Node): Node[] =>
    indirect(node)
      ? (node.op === "gather" ? [node.inputs[0]] : node.inputs.slice(0, 2)).map(materialise)
      : [];

  const link = (unit: Unit, base: Node) => {
    const u = unitOf.get(base);
    if (u && u !== unit) unit.deps.add(u);
  };

  /** What was found last for each node; valid while its loops and the set of stored views stay the same. */
  const memo = new Map<Node, { dims: Dims; rows: boolean; version: number; found: Source[] | Node }>();
  let version = 0;

  /** What `node` reads, seen from loops over `dims` (of which `which` are its own); or a view that must be stored first. */
  function look(node: Node, dims: Dims, which?: readonly number[]): Source[] | Node {
    const known = memo.get(node);
    if (known && known.dims === dims && known.rows === !!which && known.version === version)
      return known.found;
    const list: Source[] = [];
    let found: Source[] | Node = list;
    for (const { input, shape } of readsOf(node)) {
      const s = resolve(input, home(shape, dims, which)!, dims, (n) => n !== node && unitOf.has(n));
      if ("stuck" in s || (s.base.op === "iota" && !s.axes && !unitOf.has(s.base))) {
        found = "stuck" in s ? s.stuck : s.base;
        break;
      }
      if (!isWritten(s)) list.push(s);
    }
    memo.set(node, { dims, rows: !!which, version, found });
    return found;
  }

  /** The same, with the views that are in the way stored. */
  function sources(node: Node, dims: Dims, which?: readonly number[]): Source[] {
    for (;;) {
      const found = look(node, dims, which);
      if (Array.isArray(found)) return found;
      store(found);
    }
  }

  for (const node of needed(graph, outputs)) {
    if (node.op === "input" || node.op === "element" || isLeaf(node) || isView(node)) {
      if (node.op === "element") unitOf.set(node, unitOf.get(node.inputs[0])!);
      continue;
    }
    if (!groupable(node)) {
      const unit = create("opaque", node, []);
      for (const base of argumentsOf(node)) link(unit, base);
      continue;
    }
    place(node);
  }
  const results = outputs.map(contiguous);
  let readers = markStored();
  const results_ = new Set(results);
  if (tails({ units, unitOf, basesOf, create: (node, dims) => create("group", node, dims) })) {
    relink();
    version++;
    readers = markStored();
  }
  if (sink({ units, unitOf, stored, readers, results: results_, basesOf, consistent })) {
    relink();
    readers = markStored();
  }
  joinReaders();
  readers = markStored();
  return {
    results,
    contiguous,
    readers,
    units: sorted(units.filter((u) => u.nodes.length > 0)),
    unitOf,
    stored,
  };

  /** What a node of a group reads, seen through views. */
  function basesOf(u: Unit, n: Node): Node[] {
    return sources(n, u.dims, levelOf(u, n) === "row" ? keptDims(u) : undefined).map((s) => s.base);
  }

  /** Finds again what each unit needs, after nodes have moved. */
  function relink(): void {
    for (const u of [...units]) {
      u.deps.clear();
      for (const n of u.nodes) for (const base of readBy(u, n)) link(u, base);
    }
  }

  /** What a node of a unit reads from memory or from its own group. */
  function readBy(u: Unit, n: Node): readonly Node[] {
    return u.kind === "group" ? [...basesOf(u, n), ...tables(n)] : argumentsOf(n);
  }

  /** Groups that go through the same values and do not need each other read them together. */
  function joinReaders(): void {
    for (const [base, found] of readers) {
      const groups = [...found].filter((u) => u.kind === "group" && sizeOf(u.dims) <= sizeOf(base.shape));
      for (const [i, u] of groups.entries()) {
        if (u.nodes.length === 0) continue;
        for (const other of groups.slice(i + 1)) if (other.nodes.length > 0) merge(other, u);
      }
    }
  }

  /** The stored node of which `view` has all elements in the same order, if that is what it is. */
  function wholeBase(view: Node): Node | undefined {
    const dims = dimsOf(view.shape);
    const s = resolve(view, home(view.shape, dims)!, dims, inMemory);
    if ("stuck" in s || isLeaf(s.base)) return undefined;
    const same =
      sizeOf(s.base.shape) === sizeOf(view.shape) &&
      equal(s.flat, flatten(home(view.shape, dims)!, stridesOf(view.shape), dims));
    return same ? s.base : undefined;
  }

  /** A node in memory that `input` is, or is an affine view of. */
  function materialise(input: Node): Node {
    const dims = dimsOf(input.shape);
    for (;;) {
      const s = resolve(input, home(input.shape, dims)!, dims, inMemory);
      if ("stuck" in s) store(s.stuck);
      else if (isLeaf(s.base)) return contiguous(input);
      else return s.base;
    }
  }

  /** What an operation with a kernel of its own reads. */
  function argumentsOf(node: Node): Node[] {
    return node.inputs.map(inOnePiece.has(node.op) ? contiguous : materialise);
  }

  /** A node in memory that has exactly the elements of `input`, in order. */
  function contiguous(input: Node): Node {
    // What was found first stays: whoever asked was linked to it.
    let found = pieces.get(input);
    if (!found) {
      const base = isView(input) ? wholeBase(input) : input;
      found = base && !isLeaf(base) ? base : input;
      if (found === input && (isView(input) || isLeaf(input)) && !unitOf.has(input)) store(input);
      pieces.set(input, found);
    }
    return found;
  }

  function place(node: Node): void {
    const x = reduceOps.has(node.op) ? node.inputs[0] : node;
    const dims = dimsOf(x.shape);
    const flags = reduceOps.has(node.op) ? reducedDims(node) : undefined;
    const needs = tables(node);
    const reads = sources(node, dims);
    const candidates = [
      ...new Set(reads.map((s) => unitOf.get(s.base)).filter((u): u is Unit => u?.kind === "group")),
    ].sort((a, b) => b.id - a.id);
    const bases = [...reads.map((s) => s.base), ...needs];
    const home_ = candidates.find((g) => join(node, dims, flags, g, bases));
    const unit = home_ ?? create("group", node, dims, flags);
    for (const base of bases) link(unit, base);
    if (!home_) return;
    for (const other of candidates)
      if (other !== unit && unitOf.get(other.nodes[0]) === other) merge(other, unit);
  }

  /** Adds `node` to group `g` if it can be computed in the same loops. */
  function join(
    node: Node,
    dims: Dims,
    flags: boolean[] | undefined,
    g: Unit,
    bases: readonly Node[],
  ): boolean {
    if (g.nodes.length >= largestGroup || sizeOf(dims) === 0) return false;
    const trial = fit(node, dims, flags, g);
    if (!trial) return false;
    const before = { dims: g.dims, reduced: g.reduced };
    Object.assign(g, trial);
    g.nodes.push(node);
    unitOf.set(node, g);
    const fits = worthwhile(g) && consistent(g, node) && !wouldCycle(bases, g);
    if (fits) return true;
    g.nodes.pop();
    unitOf.delete(node);
    Object.assign(g, before);
    return false;
  }

  /** Loops that serve both `g` and a node over `dims`. */
  function fit(
    node: Node,
    dims: Dims,
    flags: boolean[] | undefined,
    g: Unit,
  ): Pick<Unit, "dims" | "reduced"> | undefined {
    const full = sizeOf(dims) === sizeOf(g.dims) ? refine(g.dims, dims) : undefined;
    if (full) {
      const mine = flags && spreadFlags(full.dims, dims, flags);
      const theirs = g.reduced && full.parents.map((p) => g.reduced![p]);
      if (mine && theirs && mine.some((f, i) => f !== theirs[i])) return undefined;
      return { dims: sameDims(full.dims, g.dims), reduced: theirs ?? mine };
    }
    // One value a row, after the group's reductions.
    if (!g.reduced || flags || isColumn(g) || indirect(node)) return undefined;
    const keptIndex = g.dims.flatMap((_, i) => (g.reduced![i] ? [] : [i]));
    const kept = keptIndex.map((i) => g.dims[i]);
    if (sizeOf(kept) !== sizeOf(dims)) return undefined;
    const rows = refine(kept, dims);
    if (!rows) return undefined;
    const dimsOut: number[] = [];
    const reduced: boolean[] = [];
    g.dims.forEach((d, i) => {
      if (g.reduced![i]) {
        dimsOut.push(d);
        reduced.push(true);
      } else {
        rows.dims.forEach((r, k) => {
          if (keptIndex[rows.parents[k]] === i) {
            dimsOut.push(r);
            reduced.push(false);
          }
        });
      }
    });
    return { dims: sameDims(dimsOut, g.dims), reduced };
  }

  /** Whether what `node` reads from its own group is read where it is computed. */
  function consistent(g: Unit, node: Node): boolean {
    const level = levelOf(g, node);
    const which = level === "row" ? keptDims(g) : undefined;
    if (tables(node).some((t) => unitOf.get(t) === g)) return false;
    if (!readsOf(node).every(({ shape }) => home(shape, g.dims, which))) return false;
    const found = look(node, g.dims, which);
    if (!Array.isArray(found)) return false;
    return found.every((s) => {
      if (unitOf.get(s.base) !== g) return true;
      // Column sums are known only after the last row.
      if (reduceOps.has(s.base.op) && isColumn(g)) return false;
      if (level === "row" && levelOf(g, s.base) === "full" && !reduceOps.has(s.base.op)) return false;
      const own = homeOf(g, s.base);
      return own !== undefined && equal(own, s.flat);
    });
  }

  /** Puts all of `from` into `into` where their loops agree. */
  function merge(from: Unit, into: Unit): void {
    if (from.nodes.length + into.nodes.length > largestGroup || sizeOf(into.dims) === 0) return;
    const refined = sizeOf(from.dims) === sizeOf(into.dims) ? refine(into.dims, from.dims) : undefined;
    if (!refined) return;
    const mine = into.reduced && refined.parents.map((p) => into.reduced![p]);
    const theirs = from.reduced && spreadFlags(refined.dims, from.dims, from.reduced);
    if (mine && theirs && mine.some((f, i) => f !== theirs[i])) return;
    if (reaches(into, from, from) || reaches(from, into, into)) return;
    const before = { dims: into.dims, reduced: into.reduced, nodes: into.nodes };
    Object.assign(into, {
      dims: sameDims(refined.dims, into.dims),
      reduced: mine ?? theirs,
      nodes: [...from.nodes, ...into.nodes].sort((a, b) => a.id - b.id),
    });
    for (const n of from.nodes) unitOf.set(n, into);
    if (!worthwhile(into) || !into.nodes.every((n) => consistent(into, n))) {
      Object.assign(into, before);
      for (const n of from.nodes) unitOf.set(n, from);
      return;
    }
    for (const d of from.deps) if (d !== into) into.deps.add(d);
    into.deps.delete(from);
    for (const u of units) if (u.deps.delete(from) && u !== into) u.deps.add(into);
    from.nodes = [];
  }

  /** Whether `from` needs `target` through some unit other than `skip`. */
  function reaches(from: Unit, target: Unit, skip: Unit): boolean {
    const stamp = ++searches;
    const visit = (u: Unit): boolean => {
      if (u === target) return true;
      if (u.stamp === stamp) return false;
      u.stamp = stamp;
      for (const d of u.deps) if (visit(d)) return true;
      return false;
    };
    for (const d of from.deps) if (d !== skip && visit(d)) return true;
    return false;
  }

  /** Whether some other unit that `node` reads from needs `g`. */
  function wouldCycle(bases: readonly Node[], g: Unit): boolean {
    return bases.some((base) => {
      const u = unitOf.get(base);
      return u !== undefined && u !== g && (u.deps.has(g) || reaches(u, g, u));
    });
  }

  /** Notes what must be in memory, and who reads it there. */
  function markStored(): Map<Node, Set<Unit>> {
    const readers = new Map<Node, Set<Unit>>();
    stored.clear();
    for (const r of results) stored.add(r);
    const note = (base: Node, unit: Unit) => {
      stored.add(base);
      readers.set(base, (readers.get(base) ?? new Set()).add(unit));
    };
    for (const u of units) {
      for (const n of u.nodes)
        for (const base of readBy(u, n)) if (u.kind === "opaque" || unitOf.get(base) !== u) note(base, u);
    }
    return readers;
  }
}

/** Units in an order in which each comes after those it needs, otherwise as they were written. */
function sorted(units: Unit[]): Unit[] {
  const out: Unit[] = [];
  const seen = new Set<Unit>();
  const first = (u: Unit) => Math.min(...u.nodes.map((n) => n.id));
  const visit = (u: Unit): void => {
    if (seen.has(u)) return;
    seen.add(u);
    for (const d of [...u.deps].sort((a, b) => first(a) - first(b))) visit(d);
    out.push(u);
  };
  const last = (u: Unit) => Math.max(...u.nodes.map((n) => n.id));
  for (const u of [...units].sort((a, b) => last(a) - last(b))) visit(u);
  return out;
}
