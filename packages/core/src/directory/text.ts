/** JSON that is written straight into bytes which are used again: a run keeps itself without filling the heap. */
export class JsonText {
  private buffer = Buffer.alloc(4096);
  length = 0;
  /** Names that were written before, quoted. */
  private readonly names = new Map<string, Buffer>();

  /** The first `length` of them count. */
  get bytes(): Uint8Array {
    return this.buffer;
  }

  clear(): this {
    this.length = 0;
    return this;
  }

  /** Characters that JSON is made of, as they are. */
  raw(ascii: string): this {
    this.reserve(ascii.length);
    for (let i = 0; i < ascii.length; i++) this.buffer[this.length++] = ascii.charCodeAt(i);
    return this;
  }

  /** Any text, quoted. */
  string(text: string): this {
    const quoted = JSON.stringify(text);
    this.reserve(3 * quoted.length);
    this.length += this.buffer.write(quoted, this.length);
    return this;
  }

  /** A name in a record, and its colon. Names recur, so they are kept. */
  name(name: string): this {
    let known = this.names.get(name);
    if (!known) {
      known = Buffer.from(`${JSON.stringify(name)}:`);
      // Tasks may be named without end.
      if (this.names.size < 4096) this.names.set(name, known);
    }
    this.reserve(known.length);
    this.buffer.set(known, this.length);
    this.length += known.length;
    return this;
  }

  /** A number; JSON has all of them but NaN and the infinities. */
  finite(x: number): this {
    // JSON.parse gives -0 for "-0", but String(-0) is "0".
    return this.raw(Object.is(x, -0) ? "-0" : `${x}`);
  }

  /** Writes characters over others, at a place that was filled before. */
  overwrite(ascii: string, at: number): void {
    this.buffer.write(ascii, at);
  }

  /** Makes room. */
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
