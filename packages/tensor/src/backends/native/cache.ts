import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BuildError, compileLibrary } from "./build.ts";
import { cacheDirectory, discard, temporaryFolder } from "./folder.ts";
import { cacheLimit, prune } from "./prune.ts";
import { findToolchain } from "./toolchain.ts";
import type { Work } from "./work.ts";

/** Part of every key: increment it when generated code changes its meaning without changing its text. */
const emitterVersion = 1;

/** A library in the cache. */
export interface Library {
  readonly path: string;
  readonly sha256: string;
}

/** A cache entry of a library: written last and atomically, so that it never names a partial file. */
interface Entry {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Loads the library of `sources`, from the cache if it is there and intact. A library that cannot be loaded is removed and
 * rebuilt once: a compiler may have failed silently, or another process may have removed it.
 */
export function* openLibrary<T>(
  sources: readonly string[],
  flags: readonly string[],
  load: (path: string) => T,
): Work<{ loaded: T; library: Library }> {
  for (let again = false; ; again = true) {
    const library = yield* cachedLibrary(sources, flags);
    try {
      return { loaded: load(library.path), library };
    } catch (error) {
      forget(library.path);
      if (again)
        throw new BuildError(
          `The C compiler ${findToolchain().command} built a library that cannot be loaded: ${(error as Error).message}`,
        );
    }
  }
}

/**
 * The library of `sources`. The key covers the text, the compiler, its flags and the processor. Processes that build the
 * same library concurrently each write their own file; the last one to finish is used afterwards.
 */
export function* cachedLibrary(sources: readonly string[], flags: readonly string[]): Work<Library> {
  const key = keyOf(sources, flags);
  const directory = cacheDirectory();
  const known = lookUp(directory, key);
  if (known) return known;
  let folder: string | undefined;
  try {
    folder = temporaryFolder(directory);
    const temporary = join(folder, "library");
    yield* compileLibrary(findToolchain(), flags, sources, temporary);
    const content = readFileSync(temporary);
    const digest = sha256(content);
    const entry: Entry = { file: fileOf(key, digest), bytes: content.length, sha256: digest };
    const path = join(directory, entry.file);
    renameSync(temporary, path);
    writeFileSync(temporary, JSON.stringify(entry), { mode: 0o600 });
    renameSync(temporary, join(directory, `${key}.json`));
    makeRoom(directory);
    return { path, sha256: digest };
  } catch (error) {
    if (error instanceof BuildError) throw error;
    throw new BuildError(
      `A compiled library could not be stored in ${directory}: ${(error as Error).message}`,
    );
  } finally {
    if (folder) discard(folder);
  }
}

const fileOf = (key: string, digest: string) => `${key}-${digest.slice(0, 16)}.so`;

let built = 0;

/** Scanning the folder takes as long as a small build, so not every build does. */
export function makeRoom(directory: string): void {
  if (built++ % 50 > 0) return;
  try {
    prune(directory, cacheLimit());
  } catch {
    // Another process is pruning the folder too.
  }
}

/** A key of everything that a library depends on, in forty characters. */
export function keyOf(sources: readonly string[], flags: readonly string[]): string {
  const { command, args, version, processor } = findToolchain();
  return sha256(JSON.stringify([sources, emitterVersion, command, args, version, flags, processor])).slice(
    0,
    40,
  );
}

/** A damaged or missing file is a miss, and is removed: loading a partial library would crash the process. */
export function lookUp(directory: string, key: string): Library | undefined {
  const note = join(directory, `${key}.json`);
  if (!existsSync(note)) return undefined;
  let path: string | undefined;
  try {
    const entry = JSON.parse(readFileSync(note, "utf8")) as Entry;
    // An entry under another name would give the wrong program.
    if (entry.file !== fileOf(key, entry.sha256)) throw new Error("damaged");
    path = join(directory, entry.file);
    const content = readFileSync(path);
    if (content.length !== entry.bytes || sha256(content) !== entry.sha256) throw new Error("damaged");
    markUsed(note, path);
    return { path, sha256: entry.sha256 };
  } catch {
    for (const file of [note, path]) if (file) discard(file);
    return undefined;
  }
}

/** Removes a library from the cache. */
export function forget(path: string): void {
  discard(path);
  discard(path.replace(/-[^-]*$/, ".json"));
}

/** Files are removed in the order of their last use, which not every file system records on read. */
export function markUsed(...paths: readonly string[]): void {
  const now = new Date();
  try {
    for (const path of paths) utimesSync(path, now, now);
  } catch {
    // Another process removed it.
  }
}

export function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}
