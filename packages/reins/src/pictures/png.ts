import { changed, type Film, type Patch } from "./frames.ts";
import type { Raster } from "./raster.ts";

/** Encodes frames as a looping animated PNG; a single frame is a plain PNG. */
export async function png({ frames, fps }: Film): Promise<Uint8Array> {
  const [first] = frames;
  const animated = frames.length > 1;
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    // 8 bits per channel, three channels.
    chunk("IHDR", bytes(u32(first.width), u32(first.height), [8, 2, 0, 0, 0])),
  ];
  if (animated) parts.push(chunk("acTL", bytes(u32(frames.length), u32(0))));
  let sequence = 0;
  for (const [i, frame] of frames.entries()) {
    const patch = changed(frames[i - 1], frame);
    if (animated) {
      const delay = [...u16(1000 / fps), ...u16(1000)];
      const place = [patch.width, patch.height, patch.x, patch.y].flatMap(u32);
      parts.push(chunk("fcTL", bytes(u32(sequence++), place, delay, [0, 0])));
    }
    const packed = await deflate(lines(frame, patch));
    parts.push(i === 0 ? chunk("IDAT", packed) : chunk("fdAT", bytes(u32(sequence++), packed)));
  }
  parts.push(chunk("IEND", new Uint8Array()));
  return bytes(...parts);
}

/** Pixels of a rectangle, each line after a filter byte of 0. */
function lines({ width, data }: Raster, patch: Patch): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(patch.height * (1 + 3 * patch.width));
  for (let y = 0; y < patch.height; y++) {
    const from = 3 * ((patch.y + y) * width + patch.x);
    out.set(data.subarray(from, from + 3 * patch.width), y * (1 + 3 * patch.width) + 1);
  }
  return out;
}

async function deflate(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const packed = new Blob([data]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

function chunk(kind: string, data: Uint8Array): Uint8Array {
  const named = bytes(
    [...kind].map((letter) => letter.charCodeAt(0)),
    data,
  );
  return bytes(u32(data.length), named, u32(crc(named)));
}

const u32 = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
const u16 = (n: number) => [Math.round(n) >> 8, Math.round(n) & 255];

function bytes(...parts: ArrayLike<number>[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let i = 0; i < 8; i++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** The checksum of a chunk (CRC-32). */
function crc(data: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of data) c = table[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
