import type { promises as fs } from "node:fs";

/** Bytes per read, between which other requests are served. */
const piece = 1 << 20;
/** Maximum number of bytes of a line. */
const longest = 8 << 20;
/** Bytes before the end that show whether the file was rewritten. */
const tail = 256;

/** Processes the lines of a file. */
export interface LineReader {
  /** Processes complete lines, which start at byte `at`. */
  take(lines: Buffer, at: number): void;
  /** Discards all lines: the file was truncated or replaced. */
  forget(): void;
}

/** A growing file of lines, read incrementally. */
export class GrowingFile {
  private readonly reader: LineReader;
  private end = 0;
  private last = Buffer.alloc(0);

  constructor(reader: LineReader) {
    this.reader = reader;
  }

  /** Reads new lines. An incomplete line at the end is left for the next call. */
  async read(file: fs.FileHandle): Promise<void> {
    const { size } = await file.stat();
    const before = await readBytes(file, this.end - this.last.length, this.last.length);
    if (size < this.end || !before.equals(this.last)) this.forget();
    for (let span = piece; this.end < size; ) {
      const text = await readBytes(file, this.end, Math.min(span, size - this.end));
      const whole = text.lastIndexOf(10) + 1;
      if (whole > 0) this.reader.take(text.subarray(0, whole), this.end);
      else if (text.length < span) return;
      else if (span < longest) {
        span *= 8;
        continue;
      }
      // Lines above the limit are skipped.
      const done = text.subarray(0, whole || text.length);
      this.end += done.length;
      this.last = Buffer.from(done.subarray(-tail));
      span = piece;
    }
  }

  /** Starts again from the beginning. */
  forget(): void {
    [this.end, this.last] = [0, Buffer.alloc(0)];
    this.reader.forget();
  }
}

/** Reads bytes of a file, fewer at its end. */
export async function readBytes(file: fs.FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
