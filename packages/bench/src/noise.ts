/** A 32-bit hash of a position and a stream; `peers/torch.py` computes the same one, so that all sides start from equal numbers. */
function hash(i: number, stream: number): number {
  let h = (Math.imul(i, 0x9e3779b1) + Math.imul(stream, 0x85ebca6b)) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x045d9f3b) >>> 0;
  return (h ^ (h >>> 16)) >>> 0;
}

/** Numbers between -scale and scale. */
export function noise(count: number, stream: number, scale: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => ((hash(i, stream) / 2 ** 32) * 2 - 1) * scale);
}

/** Whole numbers from 0 below `end`. */
export function tokens(count: number, stream: number, end: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => hash(i, stream) % end);
}

/** Streams of the data; parameters use 1, 2, 3 … in order. */
export const streams = { x: 1001, y: 1002 };
