/** A location in a buffer; inside loops it may advance with the loop's counter. */
export interface Place {
  readonly buffer: number;
  /** Bytes from the buffer's start. */
  readonly offset: number;
  /** `offset` grows by `stride` bytes with each iteration of loop `loop`. */
  readonly advance?: readonly { readonly loop: number; readonly stride: number }[];
  /** Thread-private scratch instead of a buffer: `offset` counts from the thread's block. */
  readonly scratch?: boolean;
}
