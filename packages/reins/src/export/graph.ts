import type { FunctionData, Tensor } from "@reins/tensor";

/** A traced function as data, and its nodes. */
export type GraphData = FunctionData["graph"];
type NodeData = GraphData["nodes"][number];

/** The name of a primitive. */
export type Op = NodeData[0];
/** The element type of a value. */
export type DType = NodeData[4];

/** An extent that depends on the number of rows: `n` per row, plus `plus`. */
export interface PerRows {
  readonly n: number;
  readonly plus: number;
}

/** An extent: a number, or a function of the number of rows. */
export type Dim = number | PerRows;

/** One value of a program: an argument (`input`), a constant tensor (`weight`), or the result of an operation. */
export interface Step {
  readonly op: Op | "weight";
  readonly inputs: readonly number[];
  readonly attributes: { readonly [name: string]: unknown };
  readonly shape: readonly Dim[];
  readonly dtype: DType;
}

/** A constant tensor of a program, with its name in the agent. */
export interface Weight {
  readonly name: string;
  readonly tensor: Tensor;
}

/** A named argument or result of a program. */
export interface Port {
  readonly name: string;
  readonly step: number;
}

/** The computation of an agent as a topologically sorted list of operations. */
export interface Program {
  readonly steps: readonly Step[];
  /** Tensors of the weight steps. */
  readonly weights: ReadonlyMap<number, Weight>;
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
}

/** The steps of a graph. Extents are numbers, or {@link PerRows} if the graph is for any number of rows. */
export function stepsOf({ nodes }: GraphData): Step[] {
  return nodes.map(([op, inputs, attributes, shape, dtype]) => ({ op, inputs, attributes, shape, dtype }));
}

/** Whether two extents are equal for every number of rows. */
export const sameDim = (a: Dim, b: Dim): boolean =>
  typeof a === "number" || typeof b === "number" ? a === b : a.n === b.n && a.plus === b.plus;

/** Whether two shapes are equal for every number of rows. */
export const sameDims = (a: readonly Dim[], b: readonly Dim[]): boolean =>
  a.length === b.length && a.every((d, i) => sameDim(d, b[i]));

/** Whether a shape does not depend on the number of rows. */
export const isFixed = (shape: readonly Dim[]): shape is readonly number[] =>
  shape.every((d) => typeof d === "number");

/** Number of elements of a shape. */
export const sizeOf = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1);

/** A numeric attribute; infinities and NaN are stored as text. */
export const numberIn = ({ attributes }: Step, name: string): number => Number(attributes[name]);

/** An attribute that is a list of extents. */
export const dimsIn = ({ attributes }: Step, name: string): readonly Dim[] =>
  attributes[name] as readonly Dim[];

/** An attribute that is a list of numbers. */
export const numbersIn = ({ attributes }: Step, name: string): readonly number[] =>
  attributes[name] as readonly number[];

/** The body of a loop. */
export interface Loop extends GraphData {
  readonly carries: number;
  readonly elements: number;
  readonly length: number;
  readonly reverse: boolean;
  readonly counted: boolean;
}

/** The body of a step that is a loop. */
export const loopIn = ({ attributes }: Step): Loop => attributes.body as Loop;
