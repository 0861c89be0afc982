import type { Tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import { encode } from "./convert.ts";
import type { AwaitedTensor, DeferredTensor } from "./deferred-tensor.ts";
import { files, openSafetensors, openShards, type TensorReader } from "./open.ts";
import { headOf, type ReadOptions, type Safetensors } from "./safetensors.ts";

/** Reads a safetensors file tensor by tensor, without holding the whole file in memory. */
export async function loadSafetensors(file: string, { names }: ReadOptions = {}): Promise<Safetensors> {
  const opened = await openSafetensors(file);
  try {
    const tensors = new Map<string, Tensor>();
    const wanted = names ? [...names] : [...opened.entries.keys()];
    for (const name of wanted) tensors.set(name, await opened.tensor(name));
    return { tensors, metadata: { ...opened.metadata } };
  } finally {
    await opened.close();
  }
}

/** Bytes per write. */
const portion = 4 * 2 ** 20;

/** Writes a safetensors file atomically, a few MiB at a time. Deferred tensors are created when they are written, and released. */
export async function saveSafetensors(
  file: string,
  tensors: Iterable<readonly [string, Tensor | DeferredTensor | AwaitedTensor]>,
  metadata?: Readonly<Record<string, string>>,
): Promise<void> {
  const { fs } = files();
  const draft = `${file}.${process.pid}.part`;
  const list = [...tensors];
  const { head } = headOf(list, metadata);
  try {
    // A new file: one left by a killed process is removed, and a symbolic link is not followed.
    await fs.rm(draft, { force: true });
    const handle = await fs.open(draft, "wx");
    try {
      await handle.writeFile(head);
      for (const [, t] of list) {
        const bytes = encode("make" in t ? await t.make() : t);
        // A copy of each portion: file writes do not accept memory that is shared with other threads.
        for (let at = 0; at < bytes.length; at += portion)
          await handle.writeFile(new Uint8Array(bytes.subarray(at, at + portion)));
      }
    } finally {
      await handle.close();
    }
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
    fail(source, `has no "weight_map" from tensor names to files.`);
  const shards = new Map<string, string[]>();
  for (const [name, file] of Object.entries(map)) {
    // Only a file beside the index: an untrusted index must not read other paths.
    if (typeof file !== "string" || /[/\\]|^\.\.?$/.test(file))
      fail(
        source,
        `tensor "${name}" is in ${JSON.stringify(file)}, which is not the name of a file in the same folder.`,
      );
    shards.set(file, [...(shards.get(file) ?? []), name]);
  }
  return shards;
}

/** Opens a sharded checkpoint by its `…index.json`, to read tensor by tensor. */
export async function openSharded(index: string): Promise<TensorReader> {
  const { fs } = files();
  return openShards(index, parseIndex(await fs.readFile(index, "utf8"), index));
}

/** Reads a sharded checkpoint by its `…index.json`. */
export async function loadSharded(index: string): Promise<Safetensors> {
  const opened = await openSharded(index);
  try {
    const tensors = new Map<string, Tensor>();
    for (const name of opened.entries.keys()) tensors.set(name, await opened.tensor(name));
    return { tensors, metadata: { ...opened.metadata } };
  } finally {
    await opened.close();
  }
}
