/** JSON written directly into reused bytes: saving a run does not fill the heap. */
export class JsonText {
  private buffer = Buffer.alloc(4096);
  length = 0;
  /** Quoted names that were written before. */
  private readonly names = new Map<string, Buffer>();

  /** Only the first `length` bytes count. */
  get bytes(): Uint8Array {
    return this.buffer;
  }

  clear(): this {
    this.length = 0;
    return this;
  }

  /** Writes JSON syntax unchanged. */
  raw(ascii: string): this {
    this.reserve(ascii.length);
    for (let i = 0; i < ascii.length; i++) this.buffer[this.length++] = ascii.charCodeAt(i);
    return this;
  }

  /** A quoted string. */
  string(text: string): this {
    const quoted = JSON.stringify(text);
    this.reserve(3 * quoted.length);
    this.length += this.buffer.write(quoted, this.length);
    return this;
  }

  /** A name in a record, and its colon. Names recur, so they are cached. */
  name(name: string): this {
    let known = this.names.get(name);
    if (!known) {
      known = Buffer.from(`${JSON.stringify(name)}:`);
      // The number of task names is unbounded.
      if (this.names.size < 4096) this.names.set(name, known);
    }
    this.reserve(known.length);
    this.buffer.set(known, this.length);
    this.length += known.length;
    return this;
  }

  /** A number; JSON lacks NaN and infinities. */
  finite(x: number): this {
    // JSON.parse gives -0 for "-0", but String(-0) is "0".
    return this.raw(Object.is(x, -0) ? "-0" : `${x}`);
  }

  /** Overwrites characters at an earlier position. */
  overwrite(ascii: string, at: number): void {
    this.buffer.write(ascii, at);
  }

  /** Reserves space. */
  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return;
    const larger = Buffer.alloc(2 * (this.length + more));
    larger.set(this.buffer.subarray(0, this.length));
    this.buffer = larger;
  }

  toString(): string {
    return this.buffer.toString("utf8", 0, this.length);
  }
}
