import { byteSize } from "../dtype.ts";
import type { Graph, Node } from "../graph.ts";
import { sizeOf } from "../shape.ts";
import { copyKernel } from "./copy.ts";
import type { Draft, Spot } from "./draft.ts";
import type { Fusion } from "./fuse.ts";
import type { Lowered } from "./lowered-kernel.ts";
import { line } from "./strided-view.ts";
import type { Unit } from "./unit.ts";

/** Where an output must be stored; the spot of an input if that input was donated. */
export interface Destination {
  readonly node: Node;
  readonly spot: Spot;
}

/** Writes the steps that compute `wanted` of a graph, whose inputs are at `given`. */
export type LowerGraph = (
  graph: Graph,
  given: ReadonlyMap<Node, Spot>,
  wanted: readonly Destination[],
) => void;

export const bytesOf = (n: { shape: readonly number[]; dtype: Node["dtype"] }) =>
  sizeOf(n.shape) * byteSize(n.dtype);

/** One graph (the function, or a loop's body) during lowering: where its values are stored, and the order of its units. */
export class Level {
  readonly graph: Graph;
  readonly fusion: Fusion;
  readonly draft: Draft;
  /** For the bodies of loops. */
  readonly lowerBody: LowerGraph;
  private readonly inputs: ReadonlyMap<Node, Spot>;
  /** The input at each given spot. */
  private readonly owners: ReadonlyMap<Spot, Node>;
  private readonly spots: Map<Node, Spot>;
  private readonly position: ReadonlyMap<Unit, number>;
  private readonly results: ReadonlySet<Node>;
  /** Nodes that are stored as bf16, and for others the nodes that stand for their copies. */
  private readonly halves = new Set<Node>();
  private readonly copies = new Map<Node, Node>();

  constructor(
    graph: Graph,
    fusion: Fusion,
    inputs: ReadonlyMap<Node, Spot>,
    draft: Draft,
    lowerBody: LowerGraph,
  ) {
    this.graph = graph;
    this.fusion = fusion;
    this.draft = draft;
    this.lowerBody = lowerBody;
    this.inputs = inputs;
    this.owners = new Map([...inputs].map(([node, spot]) => [spot, node]));
    this.spots = new Map(inputs);
    this.position = new Map(fusion.units.map((u, i) => [u, i]));
    this.results = new Set(fusion.results);
  }

  /** Where a node's value is stored; temporary memory unless it was placed. */
  readonly spotOf = (node: Node): Spot => {
    let s = this.spots.get(node);
    if (!s) this.spots.set(node, (s = this.draft.temporary(this.sizeOf(node))));
    return s;
  };

  private sizeOf(node: Node): number {
    return this.halves.has(node) ? bytesOf(node) / 2 : bytesOf(node);
  }

  isHalf(node: Node): boolean {
    return this.halves.has(node);
  }

  /** Stores a node as bf16. */
  halve(node: Node): void {
    this.halves.add(node);
  }

  /** A node's elements as bf16: where it is stored, or a copy, which the first reader makes. */
  halfOf(node: Node): Spot {
    if (this.halves.has(node)) return this.spotOf(node);
    const own = this.spotOf(node);
    const kept = this.draft.copyOf(own);
    if (kept) return kept;
    let copy = this.copies.get(node);
    if (!copy) {
      copy = { ...node };
      this.copies.set(node, copy);
      this.halve(copy);
      this.call(copyKernel(line(node), line(copy), "bf16"));
    }
    return this.spotOf(copy);
  }

  /** Where a node's value is stored, or undefined if it is not decided yet. */
  placeOf(node: Node): Spot | undefined {
    return this.spots.get(node);
  }

  /** Places a node's value. */
  put(node: Node, spot: Spot): void {
    this.spots.set(node, spot);
  }

  isInput(node: Node): boolean {
    return this.inputs.has(node);
  }

  isResult(node: Node): boolean {
    return this.results.has(node);
  }

  /** The input whose memory a spot is. */
  ownerOf(spot: Spot): Node | undefined {
    return this.owners.get(spot);
  }

  isBefore(a: Unit, b: Unit): boolean {
    return this.position.get(a)! < this.position.get(b)!;
  }

  /** Whether a unit that runs after `unit` reads the node's memory. */
  isReadAfter(node: Node, unit: Unit): boolean {
    return [...(this.fusion.readers.get(node) ?? [])].some((u) => this.isBefore(unit, u));
  }

  call(kernel: Lowered): void {
    this.draft.call(this.halves.size > 0 ? this.inHalves(kernel) : kernel, this.spotOf);
  }

  /** The kernel with the storage of its arguments. */
  private inHalves(lowered: Lowered): Lowered {
    const { kernel, args, open } = lowered;
    const half = (i: number) => {
      const a = args[i];
      return !("scratch" in a) && this.halves.has(a);
    };
    if (!args.some((_, i) => half(i))) return lowered;
    const params = kernel.params.map((p, i) => (half(i) ? { ...p, half: true } : p));
    return {
      ...lowered,
      kernel: { ...kernel, params },
      ...(open ? { open: () => this.inHalves(open()) } : {}),
    };
  }
}
