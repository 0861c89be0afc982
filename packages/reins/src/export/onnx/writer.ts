import { fail } from "@reins/core";
import { type Dim, type Program, type Step, sameDims, type Weight } from "../graph.ts";
import { arrayOf, type Bytes } from "./arrays.ts";
import { type Attribute, type ElementType, elementTypes, node, tensorOf } from "./proto.ts";

/** Writes one step and returns the name of its result. */
export type Write = (w: Writer, step: Step, at: number) => string;

/** Writes the nodes of a graph. An inner graph can read values of the outer one by name. */
export class Writer {
  readonly nodes: Uint8Array[] = [];
  readonly initializers: Uint8Array[] = [];
  /** Names of steps. */
  readonly names: string[] = [];
  readonly steps: readonly Step[];
  readonly source: string;
  private readonly weights: Program["weights"];
  /** Prefix of new names, which keeps names of inner graphs unique. */
  private readonly prefix: string;
  private readonly numbers = new Map<string, string>();
  /** A value whose first axis has the number of rows. */
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

  /** The value that determines the number of rows, for inner graphs. */
  get rowsOf(): string {
    return this.counted;
  }

  /** A new unique name. */
  fresh(): string {
    return `${this.prefix}t${this.made++}`;
  }

  /** Default name of a step. */
  nameOf(step: number): string {
    return `${this.prefix}v${step}`;
  }

  /** Writes a node and returns the name of its result. */
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

  /** The name of a step, which is written on first use. Unused steps, such as implicit broadcasts, are never written. */
  at(step: number): string {
    this.names[step] ??= this.write(this, this.steps[step], step);
    return this.names[step];
  }

  /** The tensor of a weight step. */
  weightAt(step: number): Weight {
    return this.weights.get(step) ?? fail(this.source, `step ${step} has no values.`);
  }

  /** Adds an initializer. */
  keep(name: string, type: ElementType, shape: readonly number[], { buffer, byteOffset, byteLength }: Bytes) {
    this.initializers.push(tensorOf(name, type, shape, new Uint8Array(buffer, byteOffset, byteLength)));
    return name;
  }

  /** Adds an initializer unless it exists. */
  keepOnce(name: string, type: ElementType, shape: readonly number[], values: Bytes): string {
    if (!this.numbers.has(name)) this.numbers.set(name, this.keep(name, type, shape, values));
    return name;
  }

  /** A constant tensor (default: a scalar). */
  constant(value: number, type: ElementType, shape: readonly number[] = []): string {
    const key = `${type}${shape}:${Object.is(value, -0) ? "-0" : value}`;
    const known = this.numbers.get(key);
    if (known) return known;
    const name = this.keep(this.fresh(), type, shape, arrayOf(type, [value]));
    this.numbers.set(key, name);
    return name;
  }

  /** Extents, axes or positions as an i64 vector. Extents that depend on the number of rows are computed. */
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

  /** Casts a value. */
  cast(name: string, from: ElementType, to: ElementType): string {
    return from === to ? name : this.add("Cast", [name], { to: elementTypes[to] });
  }

  /** The operand of a broadcast, or the step itself: elementwise operations broadcast implicitly. */
  narrow(step: number): number {
    const { op, inputs } = this.steps[step];
    return op === "broadcast" ? inputs[0] : step;
  }

  /** The operands of an elementwise operation without explicit broadcasts. */
  operands({ inputs, shape }: Step): readonly number[] {
    const narrow = inputs.map((n) => this.narrow(n));
    const full = (n: number) => sameDims(this.steps[n].shape, shape);
    if (narrow.some(full)) return narrow;
    return narrow.map((n, i) => (i === 0 ? inputs[0] : n));
  }
}
