import type { Ranges } from "./ranges.ts";

/** Allowed bytes of one position. */
export type ByteRange = readonly [first: number, last: number];

/** The last code point of one, two, three and four bytes, and the leading bits of the first byte. */
const lengths = [
  { last: 0x7f, mark: 0 },
  { last: 0x7ff, mark: 0xc0 },
  { last: 0xffff, mark: 0xe0 },
  { last: 0x10ffff, mark: 0xf0 },
];

/** A set of code points as sequences of byte ranges, by UTF-8. */
export function byteSequences(ranges: Ranges): ByteRange[][] {
  const sequences: ByteRange[][] = [];
  for (const [first, last] of ranges)
    lengths.forEach((length, more) => {
      const from = Math.max(first, more ? lengths[more - 1].last + 1 : 0);
      const to = Math.min(last, length.last);
      if (from <= to) sequences.push(...between(bytesOf(from, more), bytesOf(to, more)));
    });
  return sequences;
}

function bytesOf(point: number, more: number): number[] {
  const bytes = [lengths[more].mark | (point >> (6 * more))];
  for (let i = more - 1; i >= 0; i--) bytes.push(0x80 | ((point >> (6 * i)) & 0x3f));
  return bytes;
}

/** Sequences of the same length from `low` to `high`: one for each bounded first byte, one for those between. */
function between([low, ...lows]: number[], [high, ...highs]: number[]): ByteRange[][] {
  if (lows.length === 0) return [[[low, high]]];
  if (low === high) return between(lows, highs).map((rest) => [[low, low], ...rest]);
  const found: ByteRange[][] = [];
  if (lows.some((b) => b !== 0x80)) {
    const ends = lows.map(() => 0xbf);
    found.push(...between(lows, ends).map((rest): ByteRange[] => [[low, low], ...rest]));
    low++;
  }
  const tail: ByteRange[][] = [];
  if (highs.some((b) => b !== 0xbf)) {
    const starts = highs.map(() => 0x80);
    tail.push(...between(starts, highs).map((rest): ByteRange[] => [[high, high], ...rest]));
    high--;
  }
  if (low <= high) found.push([[low, high], ...lows.map((): ByteRange => [0x80, 0xbf])]);
  return [...found, ...tail];
}
