import { changed, type Film } from "./frames.ts";
import { paletteOf } from "./palette.ts";

/** Encodes frames as a looping GIF. Each frame after the first holds only the rectangle that changed. */
export function gif({ frames, fps }: Film): Uint8Array {
  const { width, height } = frames[0];
  const palette = paletteOf(frames);
  const out: number[] = [];
  const word = (n: number) => out.push(n & 255, n >> 8);
  const text = (letters: string) => out.push(...[...letters].map((l) => l.charCodeAt(0)));
  text("GIF89a");
  word(width);
  word(height);
  // A colour table of 256 entries for all frames.
  out.push(0xf7, 0, 0, ...palette.colors);
  text("!\xff\x0bNETSCAPE2.0");
  out.push(3, 1, 0, 0, 0);
  frames.forEach((frame, i) => {
    const patch = changed(frames[i - 1], frame);
    // Players replace delays below 2 hundredths of a second by 10.
    const until = Math.round((100 * (i + 1)) / fps);
    out.push(0x21, 0xf9, 4, 4);
    word(Math.max(2, until - Math.round((100 * i) / fps)));
    out.push(0, 0, 0x2c);
    for (const n of [patch.x, patch.y, patch.width, patch.height]) word(n);
    out.push(0, 8);
    const packed = lzw(palette.indices(frame, patch));
    for (let at = 0; at < packed.length; at += 255) {
      const block = packed.slice(at, at + 255);
      out.push(block.length, ...block);
    }
    out.push(0);
  });
  out.push(0x3b);
  return Uint8Array.from(out);
}

/** LZW compression of GIF: codes grow from 9 to 12 bits, then the table is reset. */
function lzw(indices: Uint8Array): number[] {
  const [clear, end] = [256, 257];
  const out: number[] = [];
  let [bits, held, size, next] = [0, 0, 9, 258];
  let known = new Map<number, number>();
  const emit = (code: number) => {
    held |= code << bits;
    for (bits += size; bits >= 8; bits -= 8, held >>>= 8) out.push(held & 255);
  };
  emit(clear);
  let prefix = indices[0];
  for (let i = 1; i < indices.length; i++) {
    const key = (prefix << 8) | indices[i];
    const longer = known.get(key);
    if (longer !== undefined) {
      prefix = longer;
      continue;
    }
    emit(prefix);
    prefix = indices[i];
    if (next === 4096) {
      emit(clear);
      known = new Map();
      [size, next] = [9, 258];
      continue;
    }
    known.set(key, next);
    if (next++ === 1 << size) size++;
  }
  emit(prefix);
  emit(end);
  if (bits > 0) out.push(held & 255);
  return out;
}
