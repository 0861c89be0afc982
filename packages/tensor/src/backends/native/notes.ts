import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Note } from "../../kernel/program.ts";
import { cacheDirectory, keyOf, lookUp } from "./cache.ts";

/**
 * Plans are kept beside the libraries they were compiled to, so that a process that meets a known function skips fusion and
 * code generation. A note is only valid for the very compiler that wrote it: its files' times are part of the key.
 */
let stamp: string | undefined;

function compilerStamp(): string {
  if (stamp) return stamp;
  const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
  const times: string[] = [];
  for (const folder of ["", "kernel", "lower", "math", "backends/native"]) {
    for (const file of readdirSync(join(root, folder))) {
      if (/(?<!\.test|\.d)\.[jt]s$/.test(file)) {
        const { mtimeMs, size } = statSync(join(root, folder, file));
        times.push(`${file}:${mtimeMs}:${size}`);
      }
    }
  }
  return (stamp = times.join());
}

const pathOf = (key: string, flags: readonly string[]) =>
  join(cacheDirectory(), `${keyOf([key, compilerStamp()], flags)}.plan.json`);

/** Remembers which library a plan belongs to. Failing to is no harm. */
export function writeNote(note: Note, sources: readonly string[], flags: readonly string[]): void {
  const path = pathOf(note.key, flags);
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(temporary, JSON.stringify({ library: keyOf(sources, flags), text: note.text }), {
      mode: 0o600,
    });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}

/** The plan and the library noted under `key`, if both are there and whole. */
export function readNote(key: string, flags: readonly string[]): { text: string; path: string } | undefined {
  try {
    const { library, text } = JSON.parse(readFileSync(pathOf(key, flags), "utf8")) as {
      library: string;
      text: string;
    };
    const path = lookUp(cacheDirectory(), library);
    return path ? { text, path } : undefined;
  } catch {
    return undefined;
  }
}
