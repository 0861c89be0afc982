import type { promises as fs } from "node:fs";

/** Bytes that are read at a time: others have their turn in between. */
const piece = 1 << 20;
/** Most bytes of a line that are read. */
const longest = 8 << 20;
/** Bytes before the end that are kept, to see whether the file is still the same one. */
const tail = 256;

/** What is done with the lines of a file. */
export interface LineReader {
  /** Takes whole lines, the first of which begins at a byte of the file. */
  take(lines: Buffer, at: number): void;
  /** Forgets all of them: the file was cut back, or is another one. */
  forget(): void;
}

/** A file of lines that grows, read once and then only where it has grown. */
export class GrowingFile {
  private readonly reader: LineReader;
  private end = 0;
  private last = Buffer.alloc(0);

  constructor(reader: LineReader) {
    this.reader = reader;
  }

  /** Reads what has come since it was read last. Half a line at the end is left for the next time. */
  async read(file: fs.FileHandle): Promise<void> {
    const { size } = await file.stat();
    const before = await stretch(file, this.end - this.last.length, this.last.length);
    if (size < this.end || !before.equals(this.last)) this.forget();
    for (let span = piece; this.end < size; ) {
      const text = await stretch(file, this.end, Math.min(span, size - this.end));
      const whole = text.lastIndexOf(10) + 1;
      if (whole > 0) this.reader.take(text.subarray(0, whole), this.end);
      else if (text.length < span) return;
      else if (span < longest) {
        span *= 8;
        continue;
      }
      // A line that is longer than the longest is skipped.
      const done = text.subarray(0, whole || text.length);
      this.end += done.length;
      this.last = Buffer.from(done.subarray(-tail));
      span = piece;
    }
  }

  /** Begins anew. */
  forget(): void {
    [this.end, this.last] = [0, Buffer.alloc(0)];
    this.reader.forget();
  }
}

/** Some bytes of a file; fewer where it ends. */
export async function stretch(file: fs.FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
