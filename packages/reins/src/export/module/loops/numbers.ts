/** A row-major array of numbers. */
export type Numbers = Float32Array | Int32Array | Uint32Array | Uint8Array;
