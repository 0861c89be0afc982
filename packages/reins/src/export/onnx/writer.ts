import { fail } from "@reins/core";
import { type Dim, type Program, type Step, sameDims, type Weight } from "../graph.ts";
import { arrayOf, type Bytes } from "./arrays.ts";
import { type Attribute, type ElementType, elementTypes, node, tensorOf } from "./proto.ts";

/** Writes one step, and gives the name of its result. */
export type Write = (w: Writer, step: Step, at: number) => string;

/** Writes the nodes of one graph. What a graph around it has made can be read in it by name. */
export class Writer {
  readonly nodes: Uint8Array[] = [];
  readonly initializers: Uint8Array[] = [];
  /** What every step is called. */
  readonly names: string[] = [];
  readonly steps: readonly Step[];
  readonly source: string;
  private readonly weights: Program["weights"];
  /** Begins names that are made here, so that those of a graph within another are others. */
  private readonly prefix: string;
  private readonly numbers = new Map<string, string>();
  /** What has as many rows as there are. */
  private readonly counted: string;
  readonly write: Write;
  private made = 0;

  constructor(
    { steps, inputs, weights }: Omit<Program, "outputs">,
    source: string,
    write: Write,
    { prefix = "", counted = inputs[0]?.name ?? "" }: { prefix?: string; counted?: string } = {},
  ) {
    this.steps = steps;
    this.weights = weights;
    this.write = write;
    this.source = source;
    this.prefix = prefix;
    this.counted = counted;
  }

  /** Where rows are counted, for a graph within this one. */
  get rowsOf(): string {
    return this.counted;
  }

  /** A name that nothing has. */
  fresh(): string {
    return `${this.prefix}t${this.made++}`;
  }

  /** What a step is called unless it is an argument, a weight or a result. */
  nameOf(step: number): string {
    return `${this.prefix}v${step}`;
  }

  /** Writes a node and gives the name of its result. */
  add(
    op: string,
    inputs: readonly string[],
    attributes: { readonly [name: string]: Attribute } = {},
    output = this.fresh(),
  ): string {
    this.addTo(op, inputs, [output], attributes);
    return output;
  }

  /** Writes a node with several results. */
  addTo(
    op: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes: { readonly [name: string]: Attribute } = {},
  ): void {
    this.nodes.push(node(op, inputs, outputs, attributes));
  }

  /** What a step is called. It is written where it is asked for first: what nobody asks for never is, as broadcasts, since operations widen by themselves. */
  at(step: number): string {
    this.names[step] ??= this.write(this, this.steps[step], step);
    return this.names[step];
  }

  /** The tensor of a step that is one. */
  weightAt(step: number): Weight {
    return this.weights.get(step) ?? fail(this.source, `step ${step} has no values.`);
  }

  /** A tensor that is part of the graph. */
  keep(name: string, type: ElementType, shape: readonly number[], { buffer, byteOffset, byteLength }: Bytes) {
    this.initializers.push(tensorOf(name, type, shape, new Uint8Array(buffer, byteOffset, byteLength)));
    return name;
  }

  /** The same for one that may be asked for several times. */
  keepOnce(name: string, type: ElementType, shape: readonly number[], values: Bytes): string {
    if (!this.numbers.has(name)) this.numbers.set(name, this.keep(name, type, shape, values));
    return name;
  }

  /** A number, as a tensor without axes unless a shape is given. */
  constant(value: number, type: ElementType, shape: readonly number[] = []): string {
    const key = `${type}${shape}:${Object.is(value, -0) ? "-0" : value}`;
    const known = this.numbers.get(key);
    if (known) return known;
    const name = this.keep(this.fresh(), type, shape, arrayOf(type, [value]));
    this.numbers.set(key, name);
    return name;
  }

  /** Whole numbers as a vector: those of shapes, axes and positions. Extents that depend on rows are computed. */
  vector(dims: readonly Dim[]): string {
    if (dims.every((d) => typeof d === "number")) return this.list(dims);
    const parts = dims.map((d) => (typeof d === "number" ? this.list([d]) : this.extent(d)));
    return parts.length === 1 ? parts[0] : this.add("Concat", parts, { axis: 0 });
  }

  private list(values: readonly number[]): string {
    const key = `list:${values}`;
    const known = this.numbers.get(key);
    if (known) return known;
    const name = this.keep(this.fresh(), "i64", [values.length], arrayOf("i64", values));
    this.numbers.set(key, name);
    return name;
  }

  private extent({ n, plus }: { readonly n: number; readonly plus: number }): string {
    const known = this.numbers.get("rows");
    const rows =
      known ?? this.add("Slice", [this.add("Shape", [this.counted]), this.list([0]), this.list([1])]);
    this.numbers.set("rows", rows);
    const scaled = n === 1 ? rows : this.add("Mul", [rows, this.list([n])]);
    return plus === 0 ? scaled : this.add("Add", [scaled, this.list([plus])]);
  }

  /** A value as one of another type. */
  cast(name: string, from: ElementType, to: ElementType): string {
    return from === to ? name : this.add("Cast", [name], { to: elementTypes[to] });
  }

  /** The step that a broadcast widens, and all others themselves: operations on elements widen by themselves. */
  narrow(step: number): number {
    const { op, inputs } = this.steps[step];
    return op === "broadcast" ? inputs[0] : step;
  }

  /** The arguments of an operation on elements, as narrow as they may be. */
  operands({ inputs, shape }: Step): readonly number[] {
    const narrow = inputs.map((n) => this.narrow(n));
    const full = (n: number) => sameDims(this.steps[n].shape, shape);
    if (narrow.some(full)) return narrow;
    return narrow.map((n, i) => (i === 0 ? inputs[0] : n));
  }
}
