import { readSync, writeSync } from "node:fs";

/** Bytes before every message: its kind, and how many bytes follow. */
export const header = 8;

/** Kinds of messages, as in `reins_host.py`: two that ask, four that answer. `gone` are the last words of a process that ends itself. */
export const kinds = { command: 0, step: 1, columns: 0, answer: 1, failure: 2, gone: 3 } as const;

/** A message without its header. */
export interface Message {
  readonly kind: number;
  readonly payload: Buffer;
}

/** Writes the header of a message that fills some bytes. */
export function label(message: Uint8Array, kind: number): void {
  const view = new DataView(message.buffer, message.byteOffset);
  view.setUint32(0, kind, true);
  view.setUint32(4, message.length - header, true);
}

/** Messages between two processes, through pipes whose reads wait. `ended` is called where the other side is gone. */
export class Messages {
  private readonly input: number;
  private readonly output: number;
  private readonly ended: () => never;
  private readonly head = new Uint8Array(header);

  constructor(input: number, output: number, ended: () => never) {
    this.input = input;
    this.output = output;
    this.ended = ended;
  }

  send(kind: number, payload: Uint8Array): void {
    const message = new Uint8Array(header + payload.length);
    message.set(payload, header);
    label(message, kind);
    this.write(message);
  }

  /** Sends bytes that begin with their header. */
  write(message: Uint8Array): void {
    try {
      for (let sent = 0; sent < message.length; ) sent += writeSync(this.output, message, sent);
    } catch {
      this.ended();
    }
  }

  /** Waits for a message. One of the kind that is expected is read into memory, header included; another is given back. */
  readInto(memory: Uint8Array, expected: number): Message | undefined {
    let got = this.read(memory, 0, memory.length);
    while (got < header) got += this.read(memory, got, memory.length - got);
    const kind = numberAt(memory, 0);
    const size = header + numberAt(memory, 4);
    if (kind === expected) {
      while (got < size) got += this.read(memory, got, size - got);
      return undefined;
    }
    const payload = Buffer.alloc(size - header);
    payload.set(memory.subarray(header, got));
    this.fill(payload, got - header);
    return { kind, payload };
  }

  /** Waits for a message of any kind. */
  next(): Message {
    this.fill(this.head, 0);
    const payload = Buffer.alloc(numberAt(this.head, 4));
    this.fill(payload, 0);
    return { kind: numberAt(this.head, 0), payload };
  }

  private fill(bytes: Uint8Array, from: number): void {
    for (let got = from; got < bytes.length; ) got += this.read(bytes, got, bytes.length - got);
  }

  private read(into: Uint8Array, at: number, size: number): number {
    const got = readSync(this.input, into, at, size, null);
    return got === 0 ? this.ended() : got;
  }
}

const numberAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
