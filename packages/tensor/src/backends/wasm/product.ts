import { type ProductOrder, productOrder } from "../../kernel/order.ts";
import type { GemmStep } from "../../kernel/program.ts";

export interface GemmOptions {
  readonly relaxed: boolean;
  /** Whether the processor is an ARM: 32 vector registers, and multiplication by one lane of a vector. */
  readonly arm: boolean;
}

/** Parameters: a, b, c, bias, workspace, and the range of items. */
export const gemmSignature = ["i32", "i32", "i32", "i32", "i32", "i32", "i32"] as const;

/** A product after simplification: batch dimensions merged, possibly transposed (then c's columns are not adjacent). */
export interface Product {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
  readonly c: readonly [number, number];
  /** Whether the bias runs along the columns or, after an exchange, along the rows. */
  readonly bias: "none" | "column" | "row";
  readonly batch: GemmStep["batch"];
  /** Whether a and b are swapped. */
  readonly exchanged: boolean;
  readonly order: ProductOrder;
}

/** The code for one matrix of the batch; its parameters are those of `gemmSignature` with a range of groups. */
export interface Block {
  readonly index: number;
  /** Groups of rows (or of columns, if there are few rows) that are computed independently. */
  readonly groups: number;
  readonly workspace: number;
}

/**
 * Simplifies a product: a batch that only continues a's and c's rows becomes rows. Few columns become few rows (a and b swapped),
 * so that vectors lie along the long side. Lane-order products then have few rows, and b's columns along k.
 */
export function simplify(step: GemmStep): Product {
  const order = productOrder(step);
  const fewColumns = step.n < 4;
  const batch = step.batch.filter((d) => d.extent !== 1);
  let { m } = step;
  // A lane-order product with few rows must keep few rows.
  const joins = order === "rising" || fewColumns;
  for (let last = joins && batch[batch.length - 1]; last; last = batch[batch.length - 1]) {
    if (last.b !== 0 || last.a !== m * step.aStrides[0] || last.c !== m * step.cRow) break;
    m *= last.extent;
    batch.pop();
  }
  const [aRow, aColumn] = step.aStrides;
  const product: Product = {
    m,
    n: step.n,
    k: step.k,
    a: step.aStrides,
    b: step.bStrides,
    c: [step.cRow, 1],
    bias: step.bias ? "column" : "none",
    batch,
    exchanged: false,
    order,
  };
  if (!fewColumns || !(order === "lanes" || (m >= 4 && aRow === 1 && !step.bias))) return product;
  return {
    m: step.n,
    n: m,
    k: step.k,
    a: [step.bStrides[1], step.bStrides[0]],
    b: [aColumn, aRow],
    c: [1, step.cRow],
    bias: step.bias ? "row" : "none",
    batch: batch.map((d) => ({ extent: d.extent, a: d.b, b: d.a, c: d.c })),
    exchanged: true,
    order,
  };
}
