import type { Tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import { decode } from "./convert.ts";
import { type Entry, fileBytes, headerBytes, parseHeader } from "./format.ts";
import { copyNumbers, type MatrixPlacement } from "./place.ts";

/** An open file of Node. Declared here, so that this package compiles without Node's types. */
interface OpenFile {
  read(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  stat(): Promise<{ size: number }>;
  writeFile(data: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** The functions of Node's file system that are used. */
interface Disk {
  readonly fs: {
    open(path: string, flags: string): Promise<OpenFile>;
    readFile(path: string, encoding: "utf8"): Promise<string>;
    rename(from: string, to: string): Promise<void>;
    rm(path: string, options: { force: boolean }): Promise<void>;
  };
  readonly path: { join(...parts: string[]): string; dirname(path: string): string };
}

/** Node's file system, loaded at run time: the rest of this package runs in a browser, where bundlers would warn about an import. */
export function files(): Disk {
  const builtin = globalThis.process?.getBuiltinModule;
  return builtin
    ? { fs: builtin("node:fs/promises"), path: builtin("node:path") }
    : fail("safetensors", "files need Node. In a browser, fetch the bytes and use readSafetensors().");
}

/** Tensors of a checkpoint that are read one by one, without loading the whole. */
export interface TensorReader {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly metadata: Readonly<Record<string, string>>;
  /** One of the tensors. */
  tensor(name: string): Promise<Tensor>;
  /** Writes the floats of a tensor into a part of an array, as f32; only a few MiB of the file are in memory at once. */
  place(name: string, target: Float32Array, placing: MatrixPlacement): Promise<void>;
  close(): Promise<void>;
}

/** Bytes per read. */
const portion = 4 * 2 ** 20;

/** Opens a safetensors file. */
export async function openSafetensors(file: string): Promise<TensorReader> {
  const { fs } = files();
  const handle = await fs.open(file, "r");
  /** Fills `bytes` from the file. */
  const fill = async (bytes: Uint8Array, begin: number) => {
    let done = 0;
    while (done < bytes.length) {
      const { bytesRead } = await handle.read(bytes, done, bytes.length - done, begin + done);
      if (bytesRead === 0)
        fail(
          file,
          `ends at byte ${begin + done}, before byte ${begin + bytes.length}. It is truncated: download it again.`,
        );
      done += bytesRead;
    }
    return bytes;
  };
  try {
    const { size } = await handle.stat();
    const first = await fill(new Uint8Array(Math.min(8, size)), 0);
    const length = headerBytes(first, size, file);
    const header = parseHeader(await fill(new Uint8Array(length), 0), size, file);
    const entries = new Map(header.entries.map((e) => [e.name, e]));
    const find = (name: string) => entries.get(name) ?? fail(file, `unknown tensor "${name}".`);
    let buffers: readonly Uint8Array[] = [];
    return {
      entries,
      metadata: header.metadata,
      async tensor(name) {
        const e = find(name);
        return decode(e, await fill(new Uint8Array(e.end - e.begin), e.begin), file);
      },
      async place(name, target, placing) {
        const e = find(name);
        const columns = e.shape[e.shape.length - 1] ?? 1;
        const row = columns * fileBytes[e.dtype];
        const step = Math.max(1, Math.floor(portion / Math.max(1, row))) * row;
        if (buffers.length === 0 || buffers[0].length < step)
          buffers = [new Uint8Array(step), new Uint8Array(step)];
        // One portion is read while the previous one is converted.
        const read = (at: number, i: number) =>
          fill(buffers[i % 2].subarray(0, Math.min(step, e.end - at)), at);
        let next = e.begin < e.end ? read(e.begin, 0) : undefined;
        for (let at = e.begin, i = 0; next; at += step, i++) {
          const bytes = await next;
          next = at + step < e.end ? read(at + step, i + 1) : undefined;
          copyNumbers(e.dtype, bytes, columns, (at - e.begin) / row, target, placing);
        }
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens all files of a sharded checkpoint, beside its index, with the tensors that each should contain. */
export async function openShards(
  index: string,
  shards: ReadonlyMap<string, readonly string[]>,
): Promise<TensorReader> {
  const { path } = files();
  const opened: TensorReader[] = [];
  const close = async () => {
    for (const one of opened) await one.close();
  };
  try {
    const of = new Map<string, TensorReader>();
    const entries = new Map<string, Entry>();
    for (const [shard, names] of shards) {
      const file = path.join(path.dirname(index), shard);
      const one = await openSafetensors(file);
      opened.push(one);
      for (const name of names) {
        entries.set(name, one.entries.get(name) ?? fail(file, `tensor "${name}" is missing.`));
        of.set(name, one);
      }
    }
    const find = (name: string) => of.get(name) ?? fail(index, `unknown tensor "${name}".`);
    return {
      entries,
      metadata: Object.assign({}, ...opened.map((one) => one.metadata)),
      tensor: (name) => find(name).tensor(name),
      place: (name, target, placing) => find(name).place(name, target, placing),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
