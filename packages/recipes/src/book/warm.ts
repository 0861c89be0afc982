import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { codeHash } from "./sources.ts";

/** Something that takes long to make and that several runs start from: a trained model, a dataset. */
export interface WarmStart<T> {
  readonly name: string;
  /** The module that makes it (`import.meta.url`): when its code changes, it is made again. */
  readonly module: string;
  /** What it depends on. */
  readonly inputs: unknown;
  make(): Promise<Uint8Array> | Uint8Array;
  /** What runs get. */
  read(bytes: Uint8Array): T;
}

/** How long a lock is believed when nobody finishes. */
const patience = 30 * 60_000;

/** The warm start from the cache, made first if it is not there. Processes that ask at the same time wait for one of them to make it. */
export async function keep<T>(start: WarmStart<T>, cache: string): Promise<T> {
  const key = createHash("sha256")
    .update(JSON.stringify([start.name, start.inputs, codeHash(start.module)]))
    .digest("hex");
  const path = join(cache, `${start.name}-${key.slice(0, 16)}`);
  const lock = `${path}.lock`;
  mkdirSync(cache, { recursive: true });
  while (!existsSync(path)) {
    try {
      mkdirSync(lock);
    } catch {
      const age = existsSync(lock) ? Date.now() - statSync(lock).mtimeMs : 0;
      if (age > patience) rmSync(lock, { recursive: true, force: true });
      else await pause(100);
      continue;
    }
    try {
      if (existsSync(path)) break;
      writeFileSync(`${path}.part`, await start.make());
      renameSync(`${path}.part`, path);
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
  return start.read(new Uint8Array(readFileSync(path)));
}
