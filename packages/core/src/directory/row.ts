import type { Metrics } from "../algorithm.ts";

/** Builds JSON lines of numbers in one buffer that is used again: a run logs without filling the heap. */
export class RowBuffer {
  /** The line; its first `length` bytes count. */
  bytes = Buffer.alloc(4096);
  length = 0;
  /** `,"name":` as bytes. */
  private readonly keys = new Map<string, Buffer>();

  /** `{"step":1024,"return/mean":21.5}` and a line break. NaN and infinities are strings. */
  write(step: number, metrics: Readonly<Metrics>): void {
    this.length = 0;
    this.text('{"step":');
    this.number(step);
    for (const name in metrics) {
      if (name === "step") continue;
      let key = this.keys.get(name);
      if (!key) this.keys.set(name, (key = Buffer.from(`,${JSON.stringify(name)}:`)));
      this.reserve(key.length);
      this.bytes.set(key, this.length);
      this.length += key.length;
      this.number(metrics[name]);
    }
    this.text("}\n");
  }

  private number(x: number): void {
    // JSON.parse gives -0 for "-0", but String(-0) is "0".
    if (Object.is(x, -0)) this.text("-0");
    else if (Number.isFinite(x)) this.text(`${x}`);
    else this.text(x > 0 ? '"Infinity"' : x < 0 ? '"-Infinity"' : '"NaN"');
  }

  private text(ascii: string): void {
    this.reserve(ascii.length);
    for (let i = 0; i < ascii.length; i++) this.bytes[this.length++] = ascii.charCodeAt(i);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.alloc(2 * (this.length + more));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}
