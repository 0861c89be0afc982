import { createHash } from "node:crypto";
import * as fs from "node:fs";
import type { Digest } from "./digest.ts";
import { reading } from "./failures.ts";
import { type Files, writeAll } from "./files.ts";
import { readBuffer } from "./plain-buffer.ts";
import { access, openPlain } from "./plain-files.ts";

/** Content of a file of lines when a checkpoint was written. */
export type Written = Digest & { readonly rows: number };

/** Result of truncating a file of lines. */
export interface Remainder {
  /** The last row that stays. */
  readonly last: Row | undefined;
  /** Description of lost rows; undefined if all are intact. */
  readonly loss: string | undefined;
}

/** A file of JSON lines, each with a `step`, that only grows, and is truncated when a run resumes from an earlier step. */
export class LineFile {
  readonly path: string;
  private readonly files: Files;
  private readonly fd: number;
  /** Bytes of complete lines. */
  private length: number;
  /** Their number and digest, from the first truncation on. */
  private rows = 0;
  private hash = createHash("sha256");
  /** Whether an incomplete line may follow. */
  private torn = false;

  constructor(path: string, files: Files) {
    this.path = path;
    this.files = files;
    this.fd = openPlain(path, access.append, files);
    this.length = fs.fstatSync(this.fd).size;
  }

  /** Adds a line, the first `end` bytes of `bytes`. A line that could not be written completely is removed. */
  append(bytes: Uint8Array, end: number): void {
    if (this.torn) this.takeBack();
    try {
      writeAll(this.files, this.fd, bytes, end);
    } catch (error) {
      this.torn = true;
      try {
        this.takeBack();
      } catch {}
      throw error;
    }
    this.hash.update(bytes.subarray(0, end));
    this.length += end;
    this.rows++;
  }

  private takeBack(): void {
    this.files.ftruncateSync(this.fd, this.length);
    this.torn = false;
  }

  /** Number and digest of the lines; requires an earlier truncation. */
  get written(): Written {
    return { rows: this.rows, bytes: this.length, sha256: this.hash.copy().digest("hex") };
  }

  /** Removes the lines later than `step`, and torn ones before them. `known` is the content at that step. */
  cut(step: number, known?: Written): Remainder {
    const content = contentOf(this.path);
    const sure = known?.rows ?? Number.POSITIVE_INFINITY;
    let last: Row | undefined;
    let [end, rows, whole, odd] = [0, 0, 0, 0];
    for (const line of linesIn(content)) {
      const stays = line.row !== undefined && line.row.step <= step;
      // Among earlier rows, a damaged line or step says nothing about the lines that follow it: they are still valid.
      if (!stays && line.number > sure) break;
      if (!stays) {
        if (line.row) odd++;
        continue;
      }
      ({ row: last, end, number: rows } = line);
      whole++;
    }
    const loss = known && lossOf(content, known, { whole, odd, last });
    if (end !== content.length) this.files.ftruncateSync(this.fd, end);
    this.length = end;
    this.rows = rows;
    this.hash = createHash("sha256").update(content.subarray(0, end));
    return { last, loss };
  }

  /** Syncs all lines to the disk. */
  sync(): void {
    this.files.fsyncSync(this.fd);
  }

  close(): void {
    this.files.closeSync(this.fd);
  }
}

/** Metrics of one step, by name. */
export interface Row {
  readonly step: number;
  readonly [name: string]: number;
}

/** The complete rows of a file of JSON lines. A torn last line, as after a crash, is skipped. */
export function readRows(path: string, warn?: (message: string) => void): Row[] {
  const rows: Row[] = [];
  for (const { row, number } of linesIn(contentOf(path))) {
    if (row) rows.push(row);
    else warn?.(`${path}: line ${number} is damaged and was skipped.`);
  }
  return rows;
}

interface Line {
  readonly row: Row | undefined;
  readonly number: number;
  /** Where the next line begins. */
  readonly end: number;
}

/** Content of a file of lines: rows before a checkpoint, how many have an invalid step, and the last. */
interface Found {
  readonly whole: number;
  readonly odd: number;
  readonly last: Row | undefined;
}

/** What was lost of a file of lines since it was `known`. */
function lossOf(content: Buffer, known: Written, { whole, odd, last }: Found): string | undefined {
  const { rows, bytes, sha256 } = known;
  const before = content.subarray(0, bytes);
  if (before.length === bytes && createHash("sha256").update(before).digest("hex") === sha256)
    return undefined;
  const there = whole + odd;
  if (there > rows) return `it has ${there} rows instead of ${rows}: some were added`;
  if (odd && there === rows)
    return `${odd} of its ${rows} rows were changed: their steps are later than the checkpoint`;
  // The digest covers all rows together, so the number of changed rows is unknown.
  if (whole === rows) return `it is not as it was written: some of its ${rows} rows were changed`;
  const until = last ? `, the last of them at step ${last.step}` : "";
  const changed = odd ? ` and ${odd} changed` : "";
  return `${rows - there} of its ${rows} rows are lost or damaged${changed}; ${whole} can be read${until}`;
}

function contentOf(path: string): Buffer {
  return fs.existsSync(path) ? reading(path, () => readBuffer(path)) : Buffer.alloc(0);
}

function* linesIn(bytes: Buffer): Generator<Line> {
  let number = 1;
  for (let from = 0, to: number; (to = bytes.indexOf(10, from)) >= 0; from = to + 1)
    yield { row: parseRow(bytes.toString("utf8", from, to)), number: number++, end: to + 1 };
}

/** An empty string is not a number, although `Number("")` is 0. */
const numberIn = (text: string): number => (text.trim() === "" ? Number.NaN : Number(text));

/**
 * Parses a row; undefined if it is invalid. A number that is not finite is null, and a string in older files ("NaN", "-Infinity"); an
 * entry of any other type is left out.
 */
export function parseRow(line: string): Row | undefined {
  try {
    const row = JSON.parse(line) as Record<string, unknown>;
    if (!Number.isFinite(row.step)) return undefined;
    for (const [name, value] of Object.entries(row))
      if (value === null) row[name] = Number.NaN;
      else if (typeof value === "string") row[name] = numberIn(value);
      else if (typeof value !== "number") delete row[name];
    return row as Row;
  } catch {
    return undefined;
  }
}
