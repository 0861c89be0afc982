import type { Node, Op } from "../graph.ts";
import type { OpaqueOp } from "../primitives.ts";
import { sizeOf, stridesOf } from "../shape.ts";
import { type Dims, dimsOf, equal, flatten, home } from "./affine.ts";
import { keptDims, levelOf, readsOf, type Unit } from "./unit.ts";
import type { Units } from "./units.ts";
import { isIndirect, isLeaf, isView, isWritten, resolve, type Source } from "./views.ts";

/** Operations whose kernels do not accept strided arguments. */
const inOnePiece: ReadonlySet<Op> = new Set<OpaqueOp>(["cholesky", "triangularSolve", "jacobi", "scan"]);

/**
 * The sources that nodes read, resolved through views. If a view cannot be resolved, or an operation needs its argument in memory,
 * the view or leaf is *stored*: it becomes a separate unit.
 */
export class Reading {
  private readonly units: Units;
  /** The last result for each node; valid while its loops and the set of stored views stay the same. */
  private readonly memo = new Map<
    Node,
    { dims: Dims; rows: boolean; version: number; found: Source[] | Node }
  >();
  /** Changes with the set of stored views. */
  private version = 0;
  /** Results of `contiguous`. */
  private readonly pieces = new Map<Node, Node>();
  private readonly inMemory = (n: Node) => this.units.of.has(n);

  constructor(units: Units) {
    this.units = units;
  }

  /** Invalidates all earlier results. */
  forget(): void {
    this.version++;
  }

  /** Stores a view or a leaf in memory. */
  private store(view: Node): void {
    const unit = this.units.create("group", view, dimsOf(view.shape));
    this.forget();
    for (const s of this.sources(view, unit.dims)) this.units.link(unit, s.base);
  }

  /** The sources of `node` in loops over `dims` (of which `which` are its own); or a view that must be stored first. */
  look(node: Node, dims: Dims, which?: readonly number[]): Source[] | Node {
    const { memo, version, units } = this;
    const known = memo.get(node);
    if (known && known.dims === dims && known.rows === !!which && known.version === version)
      return known.found;
    const list: Source[] = [];
    let found: Source[] | Node = list;
    for (const { input, shape } of readsOf(node)) {
      const s = resolve(input, home(shape, dims, which)!, dims, (n) => n !== node && units.of.has(n));
      if ("stuck" in s || (s.base.op === "iota" && !s.axes && !units.of.has(s.base))) {
        found = "stuck" in s ? s.stuck : s.base;
        break;
      }
      if (!isWritten(s)) list.push(s);
    }
    memo.set(node, { dims, rows: !!which, version, found });
    return found;
  }

  /** The sources of `node`, after storing the views that cannot be resolved. */
  sources(node: Node, dims: Dims, which?: readonly number[]): Source[] {
    for (;;) {
      const found = this.look(node, dims, which);
      if (Array.isArray(found)) return found;
      this.store(found);
    }
  }

  /** The sources of a node of a group, except for tables: memory or its own group. */
  bases(group: Unit, node: Node): Node[] {
    const which = levelOf(group, node) === "row" ? keptDims(group) : undefined;
    return this.sources(node, group.dims, which).map((s) => s.base);
  }

  /** What an indirect read needs in memory: the table, and a run-time start. */
  tables(node: Node): Node[] {
    if (!isIndirect(node)) return [];
    const read = node.op === "gather" ? [node.inputs[0]] : node.inputs.slice(0, 2);
    return read.map((n) => this.materialise(n));
  }

  /** The sources of an operation with a dedicated kernel. */
  arguments(node: Node): Node[] {
    const whole = (n: Node) =>
      inOnePiece.has(node.op) || (node.op === "flash" && !this.hasAdjacentElements(n));
    return node.inputs.map((n) => (whole(n) ? this.contiguous(n) : this.materialise(n)));
  }

  /** Whether neighbours along the last axis are neighbours in memory. */
  private hasAdjacentElements(input: Node): boolean {
    const dims = dimsOf(input.shape);
    const s = resolve(input, home(input.shape, dims)!, dims, this.inMemory);
    return "stuck" in s || s.flat.coefficients[dims.length - 1] === 1;
  }

  /** All sources of a node of a unit. */
  all(unit: Unit, node: Node): readonly Node[] {
    return unit.kind === "group" ? [...this.bases(unit, node), ...this.tables(node)] : this.arguments(node);
  }

  /** A node in memory that equals `input`, or of which `input` is an affine view. */
  private materialise(input: Node): Node {
    const dims = dimsOf(input.shape);
    for (;;) {
      const s = resolve(input, home(input.shape, dims)!, dims, this.inMemory);
      if ("stuck" in s) this.store(s.stuck);
      else if (isLeaf(s.base)) return this.contiguous(input);
      else return s.base;
    }
  }

  /** A node in memory that has exactly the elements of `input`, in order. */
  contiguous(input: Node): Node {
    // The first result stays: callers are linked to it.
    let found = this.pieces.get(input);
    if (!found) {
      const base = isView(input) ? this.wholeBase(input) : input;
      found = base && !isLeaf(base) ? base : input;
      if (found === input && (isView(input) || isLeaf(input)) && !this.units.of.has(input)) this.store(input);
      this.pieces.set(input, found);
    }
    return found;
  }

  /** The stored node whose elements `view` has in the same order, if any. */
  private wholeBase(view: Node): Node | undefined {
    const dims = dimsOf(view.shape);
    const own = home(view.shape, dims)!;
    const s = resolve(view, own, dims, this.inMemory);
    if ("stuck" in s || isLeaf(s.base)) return undefined;
    const same =
      sizeOf(s.base.shape) === sizeOf(view.shape) && equal(s.flat, flatten(own, stridesOf(view.shape), dims));
    return same ? s.base : undefined;
  }
}
