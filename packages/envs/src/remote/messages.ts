import { readSync, writeSync } from "node:fs";

/** Header size of every message: its kind, and its length. */
export const header = 8;

/**
 * Message kinds, as in `reins_host.py`: two requests, four replies. `exited` is the last message of a process that
 * ends itself.
 */
export const kinds = { command: 0, step: 1, columns: 0, answer: 1, failure: 2, exited: 3 } as const;

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

/** All bytes of a message that begins with its header. */
export const sizeOf = (message: Uint8Array): number => header + numberAt(message, 4);

/** How messages of an untrusted process are read. */
export interface Caution {
  /** The same pipe as the input, opened non-blocking. */
  readonly prompt: number;
  /** Called with a description of an invalid message. */
  readonly malformed: (what: string) => never;
}

/** Maximum size of a message from an untrusted process. */
const most = 1 << 26;
/** Milliseconds for which a message may pause midway. */
const pauseWithin = 5000;

/** Messages between two processes, through blocking pipes. `ended` is called when the other side has closed. */
export class Messages {
  private readonly input: number;
  private readonly output: number;
  private readonly ended: () => never;
  private readonly caution: Caution | undefined;
  private readonly head = new Uint8Array(header);

  constructor(input: number, output: number, ended: () => never, caution?: Caution) {
    this.input = input;
    this.output = output;
    this.ended = ended;
    this.caution = caution;
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

  /** Waits for a message. A message of the expected kind is read into memory, header included; others are returned. */
  readInto(memory: Uint8Array, expected: number): Message | undefined {
    let got = this.read(memory, 0, memory.length);
    while (got < header) got += this.more(memory, got, memory.length - got);
    const { kind, size } = this.headIn(memory);
    if (kind === expected) {
      if (size > memory.length || got > size)
        this.malformed(`a message of ${size} bytes, where ${memory.length} were expected`);
      while (got < size) got += this.more(memory, got, size - got);
      return undefined;
    }
    if (got > size) this.malformed(`a message of ${size} bytes with ${got - size} more after it`);
    const payload = Buffer.alloc(size - header);
    payload.set(memory.subarray(header, got));
    this.fill(payload, got - header);
    return { kind, payload };
  }

  /** Waits for a message of any kind; at most `patience` milliseconds, if given. */
  next(patience = Number.POSITIVE_INFINITY): Message {
    const limited = Number.isFinite(patience) && this.caution !== undefined;
    const got = limited ? this.more(this.head, 0, header, patience) : this.read(this.head, 0, header);
    this.fill(this.head, got);
    const { kind, size } = this.headIn(this.head);
    const payload = Buffer.alloc(size - header);
    this.fill(payload, 0);
    return { kind, payload };
  }

  /** The kind and the total size from a message header. */
  private headIn(bytes: Uint8Array): { readonly kind: number; readonly size: number } {
    const [kind, size] = [numberAt(bytes, 0), header + numberAt(bytes, 4)];
    if (this.caution && (kind > kinds.exited || size > most))
      this.malformed(
        `bytes that are not a message: ${JSON.stringify(Buffer.from(bytes.subarray(0, 64)).toString("latin1"))}`,
      );
    return { kind, size };
  }

  private malformed(what: string): never {
    if (this.caution) return this.caution.malformed(what);
    throw new RangeError(`the other process sent ${what}`);
  }

  private fill(bytes: Uint8Array, from: number): void {
    for (let got = from; got < bytes.length; ) got += this.more(bytes, got, bytes.length - got);
  }

  /** Reads the rest of a message that has begun. An untrusted process may stop midway. */
  private more(into: Uint8Array, at: number, size: number, patience = pauseWithin): number {
    if (!this.caution) return this.read(into, at, size);
    for (const until = performance.now() + patience; ; ) {
      try {
        const got = readSync(this.caution.prompt, into, at, size, null);
        return got === 0 ? this.ended() : got;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      }
      if (performance.now() > until)
        this.malformed(`${at} bytes of a message, and nothing after them for ${patience / 1000} s`);
      Atomics.wait(clock, 0, 0, 1);
    }
  }

  private read(into: Uint8Array, at: number, size: number): number {
    const got = readSync(this.input, into, at, size, null);
    return got === 0 ? this.ended() : got;
  }
}

const clock = new Int32Array(new SharedArrayBuffer(4));

const numberAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
