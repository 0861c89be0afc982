import { createHash } from "node:crypto";
import type { promises as fs } from "node:fs";
import { parseRow, type Row } from "@reins/core/directory";
import { readBytes } from "./growing-file.ts";
import { absent, type ColumnsHead } from "./run-wire.ts";

/** Maximum number of bytes of a log per response, and of one line. */
const most = 2 << 20;
const longest = 1 << 20;
/** Maximum number of values per response: rows may be short, and names many. */
const mostNumbers = 1 << 20;
/** Bytes before an offset that identify a log. */
const marked = 256;

/** A request for a part of a log. */
export interface Wanted {
  /** The byte to continue from. */
  readonly from: number;
  /** The mark of the last response, which shows whether the log was rewritten. */
  readonly mark: ColumnsHead["mark"];
  /** Columns besides `step`. */
  readonly names: readonly string[];
}

/** A part of a log, as columns. */
export interface Stretch extends ColumnsHead {
  readonly columns: readonly Float64Array[];
}

/**
 * Reads a part of a log as columns, up to the size of a response. An incomplete line at the end is left for the next request. A run that
 * resumes from an earlier step truncates its log: then everything is read again.
 */
export async function readStretch(file: fs.FileHandle, { from, mark, names }: Wanted): Promise<Stretch> {
  const { size } = await file.stat();
  const anew = from > 0 && (from > size || (await markAt(file, from)) !== mark);
  const begin = anew ? 0 : from;
  const text = await readBytes(file, begin, Math.min(most, size - begin));
  const whole = text.lastIndexOf(10) + 1;
  // A line longer than a response is skipped as damaged.
  const lines = whole > 0 ? whole : text.length === most ? text.length : 0;
  const chosen = ["step", ...names.filter((n) => n !== "step")];
  const { rows, damaged, end } = rowsIn(text.subarray(0, lines), Math.ceil(mostNumbers / chosen.length));
  const columns = chosen.map((name) => columnOf(rows, name));
  const next = begin + end;
  return {
    rows: rows.length,
    names: chosen,
    next,
    more: end > 0 && next < size,
    anew,
    damaged,
    mark: await markAt(file, next),
    columns,
  };
}

/** A hash of the bytes before an offset; null at the beginning. */
async function markAt(file: fs.FileHandle, end: number): Promise<number | null> {
  if (end === 0) return null;
  const length = Math.min(end, marked);
  const digest = createHash("sha256")
    .update(await readBytes(file, end - length, length))
    .digest();
  return digest.readUIntBE(0, 6);
}

/** The first rows of a text, and their end. */
function rowsIn(bytes: Buffer, mostRows: number): { rows: Row[]; damaged: number; end: number } {
  const rows: Row[] = [];
  let [damaged, from] = [0, 0];
  while (from < bytes.length && rows.length < mostRows) {
    const found = bytes.indexOf(10, from);
    const to = found < 0 ? bytes.length : found;
    const row = to - from < longest ? parseRow(bytes.toString("utf8", from, to)) : undefined;
    if (row) rows.push(row);
    else damaged++;
    from = to + 1;
  }
  return { rows, damaged, end: Math.min(from, bytes.length) };
}

function columnOf(rows: readonly Row[], name: string): Float64Array {
  const column = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) column[i] = numberOf(rows[i], name);
  return column;
}

const numberOf = (row: Row, name: string): number =>
  Object.hasOwn(row, name) && typeof row[name] === "number" ? row[name] : absent;

/** Packs columns as bytes: length of the head, head as JSON padded to a multiple of eight, columns. */
export function packed({ columns, ...head }: Stretch): Uint8Array<ArrayBuffer> {
  const json = JSON.stringify(head satisfies ColumnsHead);
  const text = new TextEncoder().encode(json + " ".repeat(-(Buffer.byteLength(json) + 4) & 7));
  const out = new Uint8Array(4 + text.length + columns.length * head.rows * 8);
  new DataView(out.buffer).setUint32(0, text.length, true);
  out.set(text, 4);
  let at = 4 + text.length;
  for (const column of columns) {
    out.set(new Uint8Array(column.buffer), at);
    at += column.byteLength;
  }
  return out;
}
