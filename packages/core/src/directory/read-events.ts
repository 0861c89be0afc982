import * as fs from "node:fs";
import { join } from "node:path";
import { maskedCrc } from "./crc.ts";
import type { Files } from "./files.ts";
import { readBuffer } from "./plain-buffer.ts";
import { access, openPlain } from "./plain-files.ts";

/** One event of a TensorBoard file. */
export interface Event {
  /** Seconds since 1970. */
  readonly time: number;
  readonly step: number;
  /** Numbers by tag. */
  readonly scalars: { readonly [tag: string]: number };
  /** In the first event only. */
  readonly version?: string;
  /** Whether a process started here: earlier events with later steps are void. */
  readonly restart: boolean;
}

/** The events of a TensorBoard file, as far as its records are complete and their checksums correct. */
export function readEvents(path: string): Event[] {
  return [...records(readBuffer(path))].map(({ from, to, bytes }) => parse(bytes.subarray(from, to)));
}

/** The TensorBoard files of a folder, oldest first. */
export function eventFiles(folder: string): string[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.startsWith("events.out.tfevents."))
    .sort()
    .map((name) => join(folder, name));
}

/** Removes events that are later than `step`, or torn. */
export function cutEvents(files: Files, folder: string, step: number): void {
  for (const path of eventFiles(folder)) {
    const bytes = readBuffer(path);
    let end = 0;
    for (const { from, to } of records(bytes)) {
      const event = parse(bytes.subarray(from, to));
      if (event.step > step && !event.restart) break;
      end = to + 4;
    }
    if (end === bytes.length) continue;
    const fd = openPlain(path, access.change, files);
    try {
      files.ftruncateSync(fd, end);
    } finally {
      files.closeSync(fd);
    }
  }
}

function* records(bytes: Buffer): Generator<{ bytes: Buffer; from: number; to: number }> {
  for (let at = 0; at + 16 <= bytes.length; ) {
    const size = Number(bytes.readBigUInt64LE(at));
    const [from, to] = [at + 12, at + 12 + size];
    if (bytes.readUInt32LE(at + 8) !== maskedCrc(bytes, at, at + 8) || to + 4 > bytes.length) return;
    if (bytes.readUInt32LE(to) !== maskedCrc(bytes, from, to)) return;
    yield { bytes, from, to };
    at = to + 4;
  }
}

function parse(message: Buffer): Event {
  let [time, step, restart] = [0, 0, false];
  let version: string | undefined;
  const scalars: Record<string, number> = {};
  for (const { field, number, bytes } of fields(message)) {
    if (field === 1) time = bytes.readDoubleLE();
    else if (field === 2) step = number;
    else if (field === 3) version = bytes.toString();
    else if (field === 7) restart = true;
    else if (field === 5)
      for (const { bytes: value } of fields(bytes)) {
        const [tag, simple] = [...fields(value)];
        scalars[tag.bytes.toString()] = simple.bytes.readFloatLE();
      }
  }
  return { time, step, scalars, restart, ...(version === undefined ? {} : { version }) };
}

/** The fields of a Protocol Buffers message: varints, fixed numbers and byte strings. */
function* fields(message: Buffer): Generator<{ field: number; number: number; bytes: Buffer }> {
  let at = 0;
  const varint = () => {
    let [x, scale] = [0, 1];
    for (; message[at] > 127; scale *= 128) x += (message[at++] & 127) * scale;
    return x + message[at++] * scale;
  };
  while (at < message.length) {
    const key = varint();
    const [field, kind] = [key >>> 3, key & 7];
    const number = kind === 0 || kind === 2 ? varint() : 0;
    const size = kind === 2 ? number : kind === 1 ? 8 : kind === 5 ? 4 : 0;
    yield { field, number, bytes: message.subarray(at, at + size) };
    at += size;
  }
}
