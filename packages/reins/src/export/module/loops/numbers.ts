/** An array of numbers, in the order of rows. */
export type Numbers = Float32Array | Int32Array | Uint32Array | Uint8Array;
