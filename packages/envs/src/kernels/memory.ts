import { type HeapBlock, heap } from "@reins/tensor/assembler";

/** An array in kernel memory, with two extra rows: kernels process rows in pairs. */
export interface Column<A> {
  readonly data: A;
  /** Its address, for kernels. */
  readonly at: number;
  /** Keeps the memory alive. */
  readonly block: HeapBlock;
}

type ArrayType<A> = {
  new (buffer: ArrayBufferLike, offset: number, length: number): A;
  readonly BYTES_PER_ELEMENT: number;
};

/** `rows` rows of `width` numbers, all 0. */
export function column<A extends { fill(value: number): unknown; subarray(from: number, to: number): A }>(
  type: ArrayType<A>,
  rows: number,
  width = 1,
): Column<A> {
  const length = (rows + 2) * width;
  const block = heap.reserve(length * type.BYTES_PER_ELEMENT);
  const whole = new type(heap.memory.buffer, block.offset, length);
  whole.fill(0);
  return { data: whole.subarray(0, rows * width), at: block.offset, block };
}
