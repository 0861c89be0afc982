import type { DType } from "./dtype.ts";
import { captureSite, type Site } from "./errors.ts";
import type { PrimitiveTable } from "./primitives.ts";
import type { Shape } from "./shape.ts";

/** Every primitive operation, and its attributes. */
export interface Primitives extends PrimitiveTable<ScanBody> {}

/** The name of a primitive. */
export type Op = keyof Primitives;

/** One value in a traced function. Nodes are never changed; a graph only grows. */
export type Node = NodeOf<Op>;

/** A node of one operation, or of any of several; `node.op` determines the type of its attributes. */
export type NodeOf<K extends Op> = { [N in K]: SingleNode<N> }[K];

interface SingleNode<K extends Op> {
  readonly id: number;
  readonly op: K;
  readonly inputs: readonly Node[];
  readonly attributes: Primitives[K];
  readonly shape: Shape;
  readonly dtype: DType;
  readonly graph: Graph;
  readonly site: Site | undefined;
}

/** A traced loop body: its graph, and which nodes are inputs and results. */
export interface ScanBody {
  readonly graph: Graph;
  readonly carryIn: readonly Node[];
  readonly xIn: readonly Node[];
  readonly constIn: readonly Node[];
  readonly carryOut: readonly Node[];
  readonly yOut: readonly Node[];
  readonly length: number;
  readonly reverse: boolean;
  /** The scan node's last input is an i32: the number of iterations that run, at most `length`. */
  readonly counted: boolean;
  /** A device runs each step of the body for all iterations at once, each in memory of its own. There is no carry. */
  readonly together?: boolean;
}

const identities = new WeakMap<object, number>();
let nextIdentity = 1;
function identity(o: object): number {
  let id = identities.get(o);
  if (id === undefined) identities.set(o, (id = nextIdentity++));
  return id;
}

function attributeKey(attributes: Readonly<Record<string, unknown>>): string {
  let key = "";
  for (const name in attributes) {
    const v = attributes[name];
    const plain = typeof v !== "object" || v === null || Array.isArray(v);
    key += `${name}:${typeof v === "function" ? `#${identity(v)}` : plain ? (Object.is(v, -0) ? "-0" : String(v)) : `#${identity(v)}`};`;
  }
  return key;
}

/** An outside tensor that a traced function uses: a hidden input, read at every call. */
export interface Capture<T = unknown> {
  readonly node: Node;
  readonly tensor: T;
}

/** What the graphs of a function and of its inner functions share. */
export type GraphOptions = Pick<Graph, "sites" | "device">;

/** A traced function under construction: append-only, and equal nodes are shared. */
export class Graph {
  readonly nodes: Node[] = [];
  readonly inputs: Node[] = [];
  readonly captures: Capture[] = [];
  readonly parent: Graph | undefined;
  /** Whether nodes record the line that made them: this doubles the tracing time, so only the checking mode enables it. */
  readonly sites: boolean;
  /** Whether the function is compiled for a device with many threads, on which independent work is better done at once. */
  readonly device: boolean;
  /** Whether the function is compiled for a device in bf16 mode, in which operations may use its tensor cores. Not in graphs that vmap replays. */
  fast = false;
  /** False once tracing has ended: a tensor of a closed graph that is used again has leaked. */
  open = true;
  /** Constants by value and shape. */
  readonly numbers = new Map<string, Node>();
  private readonly table = new Map<string, Node>();
  private readonly captured = new Map<unknown, Node>();

  constructor(
    parent?: Graph,
    { sites = parent?.sites ?? false, device = parent?.device ?? false }: Partial<GraphOptions> = {},
  ) {
    this.parent = parent;
    this.sites = sites;
    this.device = device;
  }

  /** Adds a node, or returns the existing node that computes the same value. */
  add<K extends Op>(
    op: K,
    inputs: readonly Node[],
    attributes: Primitives[K],
    shape: Shape,
    dtype: DType,
  ): Node {
    let key = `${op}|${dtype}|${shape}|`;
    for (const n of inputs) key += `${n.id},`;
    key += attributeKey(attributes);
    const known = this.table.get(key);
    if (known) return known;
    const made: SingleNode<Op> = {
      id: this.nodes.length,
      op,
      inputs,
      attributes,
      shape,
      dtype,
      graph: this,
      site: this.sites ? captureSite() : undefined,
    };
    // The argument types guarantee that the attributes belong to the operation.
    const node = made as Node;
    this.nodes.push(node);
    this.table.set(key, node);
    return node;
  }

  /** A new argument. */
  input(shape: Shape, dtype: DType): Node {
    const node = this.add("input", [], { index: this.inputs.length }, shape, dtype);
    this.inputs.push(node);
    return node;
  }

  /** The hidden input of `tensor`; `key` identifies the tensor. */
  capture(key: unknown, tensor: { shape: Shape; dtype: DType }): Node {
    let node = this.captured.get(key);
    if (!node) {
      node = this.input(tensor.shape, tensor.dtype);
      this.captured.set(key, node);
      this.captures.push({ node, tensor });
    }
    return node;
  }
}

let current: Graph | undefined;

/** The graph that is being traced, if any. */
export function currentGraph(): Graph | undefined {
  return current;
}

/** Runs `body` while `graph` records the operations on tensors. */
export function tracing<R>(graph: Graph, body: () => R): R {
  const before = current;
  current = graph;
  try {
    return body();
  } finally {
    current = before;
    graph.open = false;
  }
}
