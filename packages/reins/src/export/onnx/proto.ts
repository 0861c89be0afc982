import { message, number, text } from "../../training/protobuf.ts";
import type { DType } from "../graph.ts";

/** Protobuf messages of ONNX. Field and type numbers are those of `onnx.proto`. */

/** Element types of models: those of tensors, and i64 for shapes. */
export type ElementType = DType | "i64";

/** ONNX numbers of element types. */
export const elementTypes: { readonly [T in ElementType]: number } = {
  f32: 1,
  u8: 2,
  i32: 6,
  i64: 7,
  bool: 9,
  u32: 12,
};

/** Attribute of a node: an integer, several integers, a string, or a graph. */
export type Attribute = number | readonly number[] | string | Uint8Array;

/** Concatenates the parts of a message. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A node: one operation. */
export function node(
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: { readonly [name: string]: Attribute } = {},
): Uint8Array {
  return joined([
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(3, outputs[0]),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => message(5, attribute(name, value))),
  ]);
}

function attribute(name: string, value: Attribute): Uint8Array {
  const named = (content: readonly Uint8Array[], type: number) =>
    joined([text(1, name), ...content, number(20, type)]);
  if (typeof value === "number") return named([number(3, value)], 2);
  if (typeof value === "string") return named([text(4, value)], 3);
  if (value instanceof Uint8Array) return named([message(6, value)], 5);
  // Zeros are written explicitly, since each is an entry.
  return named(
    value.map((v) => (v === 0 ? Uint8Array.of(8 * 8, 0) : number(8, v))),
    7,
  );
}

/** A tensor with row-major, little-endian values. */
export function tensorOf(
  name: string,
  type: ElementType,
  shape: readonly number[],
  bytes: Uint8Array,
): Uint8Array {
  return joined([
    ...shape.map((d) => (d === 0 ? Uint8Array.of(8, 0) : number(1, d))),
    number(2, elementTypes[type]),
    text(8, name),
    message(9, bytes),
  ]);
}

/** An input or output: name, type and extents, which are numbers or names. */
export function valueInfo(name: string, type: ElementType, shape: readonly (number | string)[]): Uint8Array {
  const dims = shape.map((d) => message(1, typeof d === "number" ? number(1, d) : text(2, d)));
  const tensorType = joined([number(1, elementTypes[type]), message(2, joined(dims))]);
  return joined([text(1, name), message(2, message(1, tensorType))]);
}

/** The parts of a graph. */
export interface GraphParts {
  readonly name: string;
  readonly nodes: readonly Uint8Array[];
  readonly initializers: readonly Uint8Array[];
  readonly inputs: readonly Uint8Array[];
  readonly outputs: readonly Uint8Array[];
}

/** Encodes a graph: nodes in order, initializers, inputs and outputs. */
export function graphOf({ name, nodes, initializers, inputs, outputs }: GraphParts): Uint8Array {
  return joined([
    ...nodes.map((n) => message(1, n)),
    text(2, name),
    ...initializers.map((t) => message(5, t)),
    ...inputs.map((v) => message(11, v)),
    ...outputs.map((v) => message(12, v)),
  ]);
}

/** Opset and format version, which runtimes since 2022 support. */
const [opset, format] = [17, 8];

/** Encodes a model; `about` becomes its metadata. */
export function modelOf(graph: Uint8Array, about: { readonly [name: string]: string }): Uint8Array {
  return joined([
    number(1, format),
    text(2, "reins"),
    message(7, graph),
    message(8, number(2, opset)),
    ...Object.entries(about).map(([key, value]) => message(14, joined([text(1, key), text(2, value)]))),
  ]);
}
