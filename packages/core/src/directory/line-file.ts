import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { DamagedDataError, fail } from "../errors.ts";
import type { ExampleSource } from "../example-source.ts";
import { checkIndex } from "../examples/array.ts";

/** Settings of {@link lineFile}. */
export interface LineFileOptions {
  /** Maximum bytes of a line (default 16 MiB). Longer lines are never read; `read` refuses them. */
  readonly longest?: number;
}

/** The lines of a text file, without blank ones. */
export interface LineFile extends ExampleSource<string> {
  /** Bytes of the file. */
  readonly bytes: number;
  /** The number of a line in the file, from 1. */
  lineNumber(index: number): number;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
/** Bytes that are read at a time from the start to the end of a file. */
const chunk = 1 << 20;

/**
 * The lines of a UTF-8 text file as examples. One pass finds where lines begin; after that, memory holds eight bytes for each line,
 * and a line is read when it is needed.
 */
export function lineFile(path: string, { longest = 1 << 24 }: LineFileOptions = {}): LineFile {
  const fd = openFile(path);
  try {
    const { size, mtimeMs } = fs.fstatSync(fd);
    const { starts, lines } = scan(fd, path, size);
    let digest: string | undefined;
    let changed = mtimeMs;
    /** Lines may have been added, but those that were found must be as they were. */
    const check = () => {
      const now = fs.fstatSync(fd);
      if (now.mtimeMs === changed && now.size >= size) return;
      if (now.size < size || digest === undefined || hashOf(fd, size) !== digest)
        throw new DamagedDataError(
          `${path}: the file was changed while it was in use. Restore it, and start or resume again.`,
        );
      changed = now.mtimeMs;
    };
    const numberOf = (index: number) => (lines ? lines[index] : index) + 1;
    const locate = (index: number) => `${path}, line ${numberOf(index)}`;
    const reader = new Reader(fd, size, { locate, check });
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const count = lines ? lines.length : starts.length - 1;
    return {
      name: path,
      count,
      get digest() {
        return (digest ??= hashOf(fd, size));
      },
      bytes: size,
      lineNumber: (index) => numberOf(checkIndex(path, count, index)),
      locate,
      read(index) {
        checkIndex(path, count, index);
        const line = lines ? lines[index] : index;
        const [from, to] = [starts[line], starts[line + 1]];
        if (to - from > longest)
          fail(
            locate(index),
            `the line has ${to - from} bytes; the limit is ${longest}. Split it into several lines, or remove it.`,
          );
        try {
          return decoder.decode(withoutEnd(reader.bytes(from, to, index)));
        } catch (error) {
          if (!(error instanceof TypeError)) throw error;
          return fail(locate(index), "the line is not valid UTF-8. Convert the file to UTF-8.");
        }
      },
      close: () => reader.close(),
    };
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

/** Opens a regular file; a pipe must not block. */
function openFile(path: string): number {
  const { O_RDONLY, O_NONBLOCK = 0 } = fs.constants;
  let fd: number;
  try {
    fd = fs.openSync(path, O_RDONLY | O_NONBLOCK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return fail(path, code === "ENOENT" ? "the file does not exist." : `cannot read the file (${message}).`);
  }
  if (fs.fstatSync(fd).isFile()) return fd;
  fs.closeSync(fd);
  return fail(path, "it is not a regular file. Pass the path of a file with one example per line.");
}

/** Where each line begins, the end of the last one, and the lines that are not blank (undefined: all). */
function scan(fd: number, path: string, size: number) {
  const buffer = Buffer.allocUnsafe(chunk);
  let starts = new Float64Array(1024);
  let count = 1;
  const blank: number[] = [];
  // Whether the current line has had only blanks so far.
  let isBlank = true;
  const end = (at: number) => {
    if (isBlank) blank.push(count - 1);
    isBlank = true;
    if (count === starts.length) {
      const wider = new Float64Array(2 * count);
      wider.set(starts);
      starts = wider;
    }
    starts[count++] = at;
  };
  let at = 0;
  for (
    let n: number;
    at < size && (n = fs.readSync(fd, buffer, 0, Math.min(chunk, size - at), at)) > 0;
    at += n
  ) {
    const piece = buffer.subarray(0, n);
    for (let from = 0; from < n; ) {
      const found = piece.indexOf(newline, from);
      const to = found < 0 ? n : found;
      for (let i = from; isBlank && i < to; i++) isBlank = isSpace(piece[i]);
      if (found >= 0) end(at + found + 1);
      from = to + 1;
    }
  }
  if (at < size)
    fail(
      path,
      `the file has ${size} bytes, but only ${at} could be read. It may have been changed meanwhile.`,
    );
  if (starts[count - 1] < size) end(size);
  const lines = count - 1;
  if (blank.length === lines) fail(path, "the file is empty. Add at least one line.");
  return {
    starts: starts.slice(0, count),
    lines: blank.length ? withoutBlank(lines, blank) : undefined,
  };
}

function hashOf(fd: number, size: number): string {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(chunk);
  for (
    let at = 0, n: number;
    at < size && (n = fs.readSync(fd, buffer, 0, Math.min(chunk, size - at), at)) > 0;
    at += n
  )
    hash.update(buffer.subarray(0, n));
  return hash.digest("hex").slice(0, 32);
}

/** A space, a tab or a carriage return. */
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === carriageReturn;

/** A line without its line break. */
function withoutEnd(line: Uint8Array): Uint8Array {
  let { length } = line;
  if (line[length - 1] === newline) length--;
  if (line[length - 1] === carriageReturn) length--;
  return line.subarray(0, length);
}

function withoutBlank(lines: number, blank: readonly number[]): Int32Array {
  const kept = new Int32Array(lines - blank.length);
  for (let line = 0, at = 0, b = 0; line < lines; line++)
    if (blank[b] === line) b++;
    else kept[at++] = line;
  return kept;
}

/** The file of a reader. */
interface ReadFile {
  readonly locate: (index: number) => string;
  /** Throws if what was just read may not be what was there. */
  readonly check: () => void;
}

/** Reads ranges of a file. Ranges that follow each other are read ahead. */
class Reader {
  private window: Buffer = Buffer.alloc(0);
  private from = 0;
  private last = -1;
  private closed = false;
  private readonly fd: number;
  private readonly size: number;
  private readonly file: ReadFile;

  constructor(fd: number, size: number, file: ReadFile) {
    this.fd = fd;
    this.size = size;
    this.file = file;
  }

  bytes(from: number, to: number, index: number): Uint8Array {
    if (this.closed) fail(this.file.locate(index), "the file has been closed.");
    const inWindow = from >= this.from && to <= this.from + this.window.length;
    if (!inWindow) {
      const ahead = from === this.last ? chunk : 0;
      const length = Math.min(Math.max(to - from, ahead), this.size - from);
      // The memory of the last window is reused: lines are decoded at once.
      if (this.window.buffer.byteLength < length) this.window = Buffer.alloc(length);
      const room = Buffer.from(this.window.buffer, 0, length);
      this.window = room.subarray(0, 0);
      let had = 0;
      for (
        let n: number;
        had < length && (n = fs.readSync(this.fd, room, had, length - had, from + had)) > 0;
      )
        had += n;
      this.file.check();
      this.window = room.subarray(0, had);
      this.from = from;
    }
    this.last = to;
    return this.window.subarray(from - this.from, to - this.from);
  }

  close(): void {
    if (!this.closed) fs.closeSync(this.fd);
    this.closed = true;
  }
}
