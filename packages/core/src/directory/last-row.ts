import * as fs from "node:fs";
import { reading } from "./failures.ts";
import { parseRow, type Row } from "./lines.ts";
import { plainReader, type Reader } from "./reader.ts";

/** Maximum bytes at the end of a log, and lines among them, that are searched for a row: a file may hold anything. */
const reach = 1 << 20;
const tries = 1000;

/** Which row to find. */
export interface LastRowOptions {
  /** A metric that it must have. */
  readonly having?: string;
  readonly reader?: Reader;
}

/** The last complete row of a log, or the last with a metric. Reads only the end of the file; undefined if none is near it. */
export function lastRow(
  path: string,
  { having, reader = plainReader }: LastRowOptions = {},
): Row | undefined {
  let fd: number;
  try {
    fd = reader.open(path);
  } catch {
    return undefined;
  }
  try {
    const { size } = fs.fstatSync(fd);
    for (let span = 1 << 14; ; span *= 4) {
      const tail = Buffer.alloc(Math.min(span, size));
      reading(path, () => fs.readSync(fd, tail, 0, tail.length, size - tail.length));
      const row = lastIn(tail, tail.length === size, having);
      if (row || tail.length === size || span >= reach) return row;
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** The last row in the end of a file. If that is not the whole file, its first line may be incomplete and is skipped. */
function lastIn(tail: Buffer, isAll: boolean, having: string | undefined): Row | undefined {
  const key = having === undefined ? undefined : `${JSON.stringify(having)}:`;
  for (let end = tail.lastIndexOf(10), n = 0; end > 0 && n < tries; n++) {
    // Lines without the metric need not be parsed.
    const at = key === undefined ? end - 1 : tail.lastIndexOf(key, end);
    const from = at < 0 ? 0 : tail.lastIndexOf(10, at) + 1;
    if (at < 0 || (from === 0 && !isAll)) return undefined;
    const row = parseRow(tail.toString("utf8", from, tail.indexOf(10, at)));
    if (row && (having === undefined || Object.hasOwn(row, having))) return row;
    end = from - 1;
  }
  return undefined;
}
