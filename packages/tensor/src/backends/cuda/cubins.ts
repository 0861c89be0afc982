import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeRoom, markUsed, sha256 } from "../native/cache.ts";
import { cacheDirectory, discard, inTemporary } from "../native/folder.ts";

/** Part of every key: increment it when generated code changes its meaning without changing its text. */
const emitterVersion = 1;

/** Length of the digest before the image. */
const digestLength = 64;

/**
 * The machine code of a text, from the cache if it is there and intact. The key covers everything that it depends on: the text, and in
 * `settings` the compiler, its flags, the architecture and the driver.
 */
export function cachedImage(
  text: string,
  settings: readonly unknown[],
  compile: () => Uint8Array,
): Uint8Array {
  const directory = cacheDirectory();
  const key = sha256(JSON.stringify([text, settings, emitterVersion])).slice(0, 40);
  const path = join(directory, `${key}.cubin`);
  const known = read(path, key);
  if (known) return known;
  const image = compile();
  try {
    inTemporary(directory, (folder) => {
      const temporary = join(folder, "cubin");
      writeFileSync(temporary, Buffer.concat([Buffer.from(digestOf(key, image)), image]), { mode: 0o600 });
      renameSync(temporary, path);
    });
    makeRoom(directory);
  } catch {
    // The next process compiles again.
  }
  return image;
}

const digestOf = (key: string, image: Uint8Array) => sha256(Buffer.concat([Buffer.from(key), image]));

/** A damaged file is a miss, and is removed. */
function read(path: string, key: string): Uint8Array | undefined {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch {
    return undefined;
  }
  const image = content.subarray(digestLength);
  if (content.subarray(0, digestLength).toString() === digestOf(key, image)) {
    markUsed(path);
    return image;
  }
  discard(path);
  return undefined;
}

/** The file name of a text's machine code in a folder that another machine has filled. */
export const prebuiltName = (text: string, architecture: string): string =>
  `${sha256(JSON.stringify([text, architecture, emitterVersion])).slice(0, 40)}-${architecture}.cubin`;

/**
 * Machine code that another machine has compiled, in the folder that REINS_CUDA_PREBUILT names: for GPUs whose time is scarce. Any compiler's
 * code for the architecture will do.
 */
export function prebuiltImage(text: string, architecture: string): Uint8Array | undefined {
  const folder = process.env.REINS_CUDA_PREBUILT;
  if (!folder) return undefined;
  try {
    return readFileSync(join(folder, prebuiltName(text, architecture)));
  } catch {
    return undefined;
  }
}
