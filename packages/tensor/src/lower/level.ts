import { byteSize } from "../dtype.ts";
import type { Graph, Node } from "../graph.ts";
import { sizeOf } from "../shape.ts";
import type { Draft, Spot } from "./draft.ts";
import type { Fusion } from "./fuse.ts";
import type { Lowered } from "./lowered.ts";
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
    if (!s) this.spots.set(node, (s = this.draft.temporary(bytesOf(node))));
    return s;
  };

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
    this.draft.call(kernel, this.spotOf);
  }
}
