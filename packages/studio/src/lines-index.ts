import { promises as fs } from "node:fs";

/** Most bytes of a line that are read. */
const longest = 8 << 20;

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

  constructor(path: string, headOf: (line: unknown) => T | undefined) {
    this.path = path;
    this.headOf = headOf;
  }

  /** All lines so far. A file that became shorter is read anew. */
  async lines(): Promise<readonly Indexed<T>[]> {
    const file = await fs.open(this.path, "r");
    try {
      const { size } = await file.stat();
      if (size < this.end) [this.found, this.end] = [[], 0];
      while (this.end < size) {
        const bytes = Buffer.alloc(Math.min(longest, size - this.end));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, this.end);
        const text = bytes.subarray(0, bytesRead);
        const whole = text.lastIndexOf(10) + 1;
        if (whole > 0) this.take(text.subarray(0, whole));
        // A line that is longer than that is skipped; half a line at the end is left for later.
        if (whole === 0 && bytesRead < longest) break;
        this.end += whole || bytesRead;
      }
      return this.found;
    } finally {
      await file.close();
    }
  }

  /** One line, as a whole. */
  async line({ at, bytes }: Indexed<T>): Promise<unknown> {
    const file = await fs.open(this.path, "r");
    try {
      const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
      return JSON.parse(buffer.toString("utf8"));
    } finally {
      await file.close();
    }
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
