import { hostname } from "node:os";
import { basename, join } from "node:path";
import type { Metrics } from "../algorithm.ts";
import { maskedCrc } from "./crc.ts";
import { type Files, writeAll } from "./files.ts";
import { eventFiles } from "./read-events.ts";

/** Maximum milliseconds before a row is written to the disk, checked when the next one comes. */
const patience = 2000;

/**
 * Writes scalars for TensorBoard: a file of TFRecords, each an `Event` message of Protocol Buffers. A row of metrics is one event,
 * encoded in a reused buffer.
 */
export class EventWriter {
  readonly path: string;
  private readonly files: Files;
  private readonly fd: number;
  private bytes = Buffer.alloc(1 << 16);
  private at = 0;
  /** Bytes of complete records in the file. */
  private length = 0;
  private flushed = Date.now();
  private readonly tags = new Map<string, Buffer>();

  /** Creates a file in `folder`. For a resumed run it tells TensorBoard to drop events of later steps. */
  constructor(folder: string, files: Files, from?: number) {
    this.files = files;
    const now = Date.now();
    this.path = join(folder, newName(folder, now));
    this.fd = files.openSync(this.path, "wx");
    const head = Buffer.from("brain.Event:2");
    let start = this.begin(64);
    this.time(now);
    this.tagged(3, head);
    this.end(start);
    if (from === undefined) return;
    start = this.begin(64);
    this.time(now);
    this.step(from + 1);
    // session_log { status: START }
    this.bytes.set([0x3a, 2, 0x08, 1], this.at);
    this.at += 4;
    this.end(start);
  }

  /** Adds the metrics of one step. */
  scalars(step: number, metrics: Readonly<Metrics>, now = Date.now()): void {
    let summary = 0;
    for (const name in metrics) {
      const size = this.tag(name).length + 5;
      summary += 1 + varintSize(size) + size;
    }
    const start = this.begin(summary + 64);
    this.time(now);
    this.step(step);
    this.bytes[this.at++] = 0x2a; // summary
    this.varint(summary);
    for (const name in metrics) {
      const tag = this.tag(name);
      this.bytes[this.at++] = 0x0a; // value
      this.varint(tag.length + 5);
      this.bytes.set(tag, this.at);
      this.at += tag.length;
      this.bytes[this.at++] = 0x15; // simple_value
      this.at = this.bytes.writeFloatLE(metrics[name], this.at);
    }
    this.end(start);
    if (now - this.flushed > patience) this.flush();
  }

  /** Writes all records to the file. */
  flush(): void {
    const { at } = this;
    this.at = 0;
    this.flushed = Date.now();
    try {
      writeAll(this.files, this.fd, this.bytes, at);
    } catch (error) {
      try {
        this.files.ftruncateSync(this.fd, this.length);
      } catch {}
      throw error;
    }
    this.length += at;
  }

  /** Syncs all records to the disk. */
  sync(): void {
    this.flush();
    this.files.fsyncSync(this.fd);
  }

  close(): void {
    try {
      this.flush();
    } finally {
      this.files.closeSync(this.fd);
    }
  }

  /** Reserves space for a record of at most `size` bytes and its frame. */
  private begin(size: number): number {
    if (this.at + size > this.bytes.length) this.flush();
    if (size > this.bytes.length) this.bytes = Buffer.alloc(2 * size);
    const start = this.at;
    this.at += 12;
    return start;
  }

  private end(start: number): void {
    const { bytes, at } = this;
    const size = at - start - 12;
    bytes.writeUInt32LE(size, start);
    bytes.writeUInt32LE(0, start + 4);
    bytes.writeUInt32LE(maskedCrc(bytes, start, start + 8), start + 8);
    this.at = bytes.writeUInt32LE(maskedCrc(bytes, start + 12, at), at);
  }

  private time(now: number): void {
    this.bytes[this.at++] = 0x09;
    this.at = this.bytes.writeDoubleLE(now / 1000, this.at);
  }

  private step(step: number): void {
    this.bytes[this.at++] = 0x10;
    this.varint(step);
  }

  private tagged(field: number, text: Buffer): void {
    this.bytes[this.at++] = (field << 3) | 2;
    this.varint(text.length);
    this.bytes.set(text, this.at);
    this.at += text.length;
  }

  /** Seven bits at a time. Steps exceed 32 bits, for which shifts do not work. */
  private varint(x: number): void {
    for (; x > 127; x = Math.floor(x / 128)) this.bytes[this.at++] = (x % 128) | 128;
    this.bytes[this.at++] = x;
  }

  /** The name of a value as a field of its message. */
  private tag(name: string): Buffer {
    let tag = this.tags.get(name);
    if (!tag) {
      const text = Buffer.from(name);
      const size: number[] = [];
      let rest = text.length;
      for (; rest > 127; rest >>>= 7) size.push((rest & 127) | 128);
      this.tags.set(name, (tag = Buffer.concat([Buffer.from([0x0a, ...size, rest]), text])));
    }
    return tag;
  }
}

/** TensorBoard reads the files of a folder by name: a new one must sort after the existing ones. */
function newName(folder: string, now: number): string {
  const taken = eventFiles(folder).map((path) => Number(basename(path).split(".")[3]));
  const second = Math.max(Math.floor(now / 1000), ...taken.map((t) => t + 1));
  return `events.out.tfevents.${second}.${hostname().replace(/[^\w-]/g, "-")}.${process.pid}.0`;
}

const varintSize = (x: number): number => (x > 127 ? 1 + varintSize(x >>> 7) : 1);
