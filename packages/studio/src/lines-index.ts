import { promises as fs } from "node:fs";
import { Refusal } from "./refusal.ts";

/** Most bytes of a line that are read. */
const longest = 8 << 20;
/** Bytes before the end that are kept, to see whether the file is still the same one. */
const tail = 256;

/** A line of a file of JSON lines: where it is, and what of it is kept. */
export interface Indexed<T> {
  readonly at: number;
  readonly bytes: number;
  readonly head: T;
}

/** What lies in a file of lines, read once and then only where it has grown. Of each line a little is kept; the rest stays on the disk. */
export class LinesIndex<T> {
  private readonly path: string;
  private readonly headOf: (line: unknown) => T | undefined;
  private found: Indexed<T>[] = [];
  private end = 0;
  private last = Buffer.alloc(0);
  private reading: Promise<readonly Indexed<T>[]> | undefined;

  constructor(path: string, headOf: (line: unknown) => T | undefined) {
    this.path = path;
    this.headOf = headOf;
  }

  /** All lines so far. A file that was cut back, or is another one, is read anew. Who asks while it is read waits for the same. */
  lines(): Promise<readonly Indexed<T>[]> {
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  /** One line, as a whole. */
  async line({ at, bytes }: Indexed<T>): Promise<unknown> {
    const file = await fs.open(this.path, "r");
    try {
      return JSON.parse((await stretch(file, at, bytes)).toString("utf8"));
    } catch (error) {
      if (error instanceof SyntaxError) throw new Refusal(422, "this line was changed since it was listed");
      throw error;
    } finally {
      await file.close();
    }
  }

  private async read(): Promise<readonly Indexed<T>[]> {
    const file = await fs.open(this.path, "r");
    try {
      const { size } = await file.stat();
      const before = await stretch(file, this.end - this.last.length, this.last.length);
      if (size < this.end || !before.equals(this.last)) this.forget();
      while (this.end < size) {
        const text = await stretch(file, this.end, Math.min(longest, size - this.end));
        const whole = text.lastIndexOf(10) + 1;
        if (whole > 0) this.take(text.subarray(0, whole));
        // A line that is longer than that is skipped; half a line at the end is left for later.
        if (whole === 0 && text.length < longest) break;
        this.end += whole || text.length;
        this.last = Buffer.from(text.subarray(0, whole || text.length).subarray(-tail));
      }
      return this.found;
    } finally {
      await file.close();
    }
  }

  private forget(): void {
    [this.found, this.end, this.last] = [[], 0, Buffer.alloc(0)];
  }

  private take(text: Buffer): void {
    for (let from = 0; from < text.length; ) {
      const to = text.indexOf(10, from);
      const head = this.headIn(text.toString("utf8", from, to));
      if (head !== undefined) this.found.push({ at: this.end + from, bytes: to - from, head });
      from = to + 1;
    }
  }

  private headIn(line: string): T | undefined {
    try {
      return this.headOf(JSON.parse(line));
    } catch {
      return undefined;
    }
  }
}

/** Some bytes of a file; fewer where it ends. */
async function stretch(file: fs.FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
