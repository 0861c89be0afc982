import * as fs from "node:fs";
import { type Files, reading, writeAll } from "./files.ts";

/** A file of JSON lines, each with a `step`, that only grows, and is cut back when a run goes on from an earlier step. */
export class LineFile {
  readonly path: string;
  private readonly files: Files;
  private readonly fd: number;
  /** Bytes of whole lines. */
  private length: number;

  constructor(path: string, files: Files) {
    this.path = path;
    this.files = files;
    this.fd = files.openSync(path, "a");
    this.length = fs.fstatSync(this.fd).size;
  }

  /** Adds a line, the first `end` bytes of `bytes`. A line that could not be written whole is taken back. */
  append(bytes: Uint8Array, end: number): void {
    try {
      writeAll(this.files, this.fd, bytes, end);
    } catch (error) {
      try {
        this.files.ftruncateSync(this.fd, this.length);
      } catch {}
      throw error;
    }
    this.length += end;
  }

  /** Removes every line from the first that is later than `step`, and torn ones before it. Returns the last that stays. */
  cut(step: number): Row | undefined {
    let last: Row | undefined;
    let end = 0;
    for (const line of linesOf(this.path)) {
      // A damaged line between whole ones stays: what follows it is still true.
      if (!line.row) continue;
      if (line.row.step > step) break;
      ({ row: last, end } = line);
    }
    if (end !== this.length) this.files.ftruncateSync(this.fd, end);
    this.length = end;
    return last;
  }

  /** Waits until all lines are on the disk. */
  sync(): void {
    this.files.fsyncSync(this.fd);
  }

  close(): void {
    this.files.closeSync(this.fd);
  }
}

/** What was measured at one step: numbers by name. */
export interface Row {
  readonly step: number;
  readonly [name: string]: number;
}

/** The whole rows of a file of JSON lines. A torn last line, as a crash leaves it, is not one. */
export function readRows(path: string, warn?: (message: string) => void): Row[] {
  const rows: Row[] = [];
  for (const { row, number } of linesOf(path)) {
    if (row) rows.push(row);
    else warn?.(`${path}: line ${number} is damaged and was skipped.`);
  }
  return rows;
}

/** The last whole row, from the end of the file only. */
export function lastRow(path: string): Row | undefined {
  let fd: number;
  try {
    fd = fs.openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    const { size } = fs.fstatSync(fd);
    for (let span = 1 << 14; ; span *= 4) {
      const tail = Buffer.alloc(Math.min(span, size));
      reading(path, () => fs.readSync(fd, tail, 0, tail.length, size - tail.length));
      const lines = tail
        .subarray(0, tail.lastIndexOf(10) + 1)
        .toString()
        .split("\n");
      const row = parseRow(lines.at(-2) ?? "");
      // Unless it is whole, the line may begin further up.
      if (row || tail.length === size) return row;
    }
  } finally {
    fs.closeSync(fd);
  }
}

interface Line {
  readonly row: Row | undefined;
  readonly number: number;
  /** Where the next line begins. */
  readonly end: number;
}

function* linesOf(path: string): Generator<Line> {
  if (!fs.existsSync(path)) return;
  const bytes = reading(path, () => fs.readFileSync(path));
  let number = 1;
  for (let from = 0, to: number; (to = bytes.indexOf(10, from)) >= 0; from = to + 1)
    yield { row: parseRow(bytes.toString("utf8", from, to)), number: number++, end: to + 1 };
}

/** A row from its line; undefined if it is none. JSON has no NaN and no infinities: they are written as strings. */
export function parseRow(line: string): Row | undefined {
  try {
    const row = JSON.parse(line) as Record<string, unknown>;
    if (typeof row.step !== "number") return undefined;
    for (const name in row) if (typeof row[name] === "string") row[name] = Number(row[name]);
    return row as unknown as Row;
  } catch {
    return undefined;
  }
}
