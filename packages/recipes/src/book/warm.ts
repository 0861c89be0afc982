import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.ts";
import { codeHash } from "./sources.ts";

/** An expensive common starting point of several runs: a trained model, a dataset. */
export interface WarmStart<T> {
  readonly name: string;
  /** The module that makes it (`import.meta.url`): when its code changes, it is made again. */
  readonly module: string;
  /** What it depends on. */
  readonly inputs: unknown;
  make(): Promise<Uint8Array> | Uint8Array;
  /** Decodes it for a run. */
  read(bytes: Uint8Array): T;
}

/** How long an unused warm start is kept, in milliseconds. */
const memory = 60 * 86_400_000;

/**
 * The warm start from the cache with the digest of its bytes; made first if it is absent. Concurrent processes wait for
 * one of them to make it.
 */
export async function keep<T>(
  start: WarmStart<T>,
  cache: string,
): Promise<{ readonly value: T; readonly digest: string }> {
  const key = createHash("sha256")
    .update(JSON.stringify([start.name, start.inputs, codeHash(start.module)]))
    .digest("hex");
  const path = join(cache, `${start.name}-${key.slice(0, 16)}`);
  const ready = () => {
    const bytes = open(path);
    return bytes && { value: start.read(bytes), digest: digest(bytes).toString("hex").slice(0, 16) };
  };
  mkdirSync(cache, { recursive: true });
  for (;;) {
    const known = ready();
    if (known) return known;
    await withLock(`${path}.making`, async () => {
      if (existsSync(path)) return;
      const bytes = await start.make();
      const part = `${path}.${process.pid}.part`;
      writeFileSync(part, Buffer.concat([digest(bytes), bytes]));
      renameSync(part, path);
      forgetUnused(cache);
    });
  }
}

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

/** The content of a file after its digest. A damaged file is removed, because runs would start from something else than recorded. */
function open(path: string): Uint8Array | undefined {
  if (!existsSync(path)) return undefined;
  const content = new Uint8Array(readFileSync(path));
  const bytes = content.slice(32);
  if (digest(bytes).equals(content.subarray(0, 32))) {
    const now = new Date();
    utimesSync(path, now, now);
    return bytes;
  }
  rmSync(path, { force: true });
  return undefined;
}

function forgetUnused(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const used = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - used > memory) rmSync(path, { recursive: true, force: true });
  }
}
