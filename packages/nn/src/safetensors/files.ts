import type { Tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import { decode } from "./convert.ts";
import { headerBytes, parseHeader } from "./format.ts";
import { type ReadOptions, type Safetensors, writeSafetensors } from "./safetensors.ts";

/** Node's file system, loaded only when a file is touched: the rest of this package runs in a browser. */
async function files() {
  try {
    return { fs: await import("node:fs/promises"), path: await import("node:path") };
  } catch {
    return fail("safetensors", "files need Node. In a browser, fetch the bytes and use readSafetensors().");
  }
}

/** Reads a safetensors file tensor by tensor, without holding the whole file in memory. */
export async function loadSafetensors(file: string, { names }: ReadOptions = {}): Promise<Safetensors> {
  const { fs } = await files();
  const handle = await fs.open(file, "r");
  try {
    const { size } = await handle.stat();
    const read = async (begin: number, end: number) => {
      const bytes = new Uint8Array(end - begin);
      let done = 0;
      while (done < bytes.length) {
        const { bytesRead } = await handle.read(bytes, done, bytes.length - done, begin + done);
        if (bytesRead === 0)
          fail(file, `ends at byte ${begin + done}, before byte ${end}. It is truncated: fetch it again.`);
        done += bytesRead;
      }
      return bytes;
    };
    const length = headerBytes(await read(0, Math.min(8, size)), size, file);
    const { entries, metadata } = parseHeader(await read(0, length), size, file);
    const wanted = names && new Set(names);
    const tensors = new Map<string, Tensor>();
    for (const e of entries)
      if (!wanted || wanted.delete(e.name)) tensors.set(e.name, decode(e, await read(e.begin, e.end), file));
    if (wanted?.size) fail(file, `there is no tensor "${[...wanted][0]}".`);
    return { tensors, metadata: { ...metadata } };
  } finally {
    await handle.close();
  }
}

/** Writes a safetensors file; a reader never sees half of it. */
export async function saveSafetensors(
  file: string,
  tensors: Iterable<readonly [string, Tensor]>,
  metadata?: Readonly<Record<string, string>>,
): Promise<void> {
  const { fs } = await files();
  const draft = `${file}.${process.pid}.part`;
  try {
    await fs.writeFile(draft, writeSafetensors(tensors, metadata));
    await fs.rename(draft, file);
  } catch (error) {
    await fs.rm(draft, { force: true });
    throw error;
  }
}

/** The files of a sharded checkpoint and the tensors each holds, from the text of `model.safetensors.index.json`. */
export function parseIndex(text: string, source = "index"): Map<string, string[]> {
  let map: unknown;
  try {
    map = (JSON.parse(text) as { weight_map?: unknown }).weight_map;
  } catch (error) {
    fail(source, `is not JSON (${(error as Error).message}).`);
  }
  if (typeof map !== "object" || map === null)
    fail(source, `has no "weight_map"; it must map names of tensors to files.`);
  const shards = new Map<string, string[]>();
  for (const [name, file] of Object.entries(map)) {
    // A file beside the index and nothing else: an index from the network must not read elsewhere.
    if (typeof file !== "string" || /[/\\]|^\.\.?$/.test(file))
      fail(
        source,
        `tensor "${name}" is in ${JSON.stringify(file)}, which is not the name of a file in the same folder.`,
      );
    shards.set(file, [...(shards.get(file) ?? []), name]);
  }
  return shards;
}

/** Reads a sharded checkpoint from its `…index.json`. */
export async function loadSharded(index: string): Promise<Safetensors> {
  const { fs, path } = await files();
  const tensors = new Map<string, Tensor>();
  const metadata: Record<string, string> = {};
  for (const [shard, names] of parseIndex(await fs.readFile(index, "utf8"), index)) {
    const part = await loadSafetensors(path.join(path.dirname(index), shard), { names });
    for (const [name, t] of part.tensors) tensors.set(name, t);
    Object.assign(metadata, part.metadata);
  }
  return { tensors, metadata };
}
