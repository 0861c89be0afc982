import { createHash, randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { BuildError, compileLibrary, findToolchain } from "./toolchain.ts";

/** Part of every key: raise it when generated code changes meaning without changing its text. */
const emitterVersion = 1;

/** What the cache knows about a library: written last and atomically, so that it never names half a file. */
interface Entry {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * The path of the shared library that `sources` compile to, from the cache if it is there and whole. The key covers the text, the
 * compiler, its flags and the processor. Processes that build the same library at once each write their own file; the last one
 * to finish is found afterwards.
 */
export function cachedLibrary(sources: readonly string[], flags: readonly string[]): string {
  const toolchain = findToolchain();
  const key = keyOf(sources, flags);
  const directory = cacheDirectory();
  const known = lookUp(directory, key);
  if (known) return known;

  const temporary = join(directory, `${key}.${process.pid}.${randomBytes(6).toString("hex")}`);
  try {
    compileLibrary(toolchain, flags, sources, temporary);
    const content = readFileSync(temporary);
    const digest = sha256(content);
    const entry: Entry = { file: `${key}-${digest.slice(0, 16)}.so`, bytes: content.length, sha256: digest };
    const path = join(directory, entry.file);
    renameSync(temporary, path);
    writeFileSync(temporary, JSON.stringify(entry), { mode: 0o600 });
    renameSync(temporary, join(directory, `${key}.json`));
    return path;
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof BuildError) throw error;
    throw new BuildError(`A compiled library could not be kept in ${directory}: ${(error as Error).message}`);
  }
}

/** Everything that a library depends on, in forty characters. */
export function keyOf(sources: readonly string[], flags: readonly string[]): string {
  const { command, args, version, processor } = findToolchain();
  return sha256(JSON.stringify([sources, emitterVersion, command, args, version, flags, processor])).slice(
    0,
    40,
  );
}

/** A damaged or missing file is no hit: loading half a library would end the process. */
export function lookUp(directory: string, key: string): string | undefined {
  try {
    const entry = JSON.parse(readFileSync(join(directory, `${key}.json`), "utf8")) as Entry;
    if (!/^[\w-]+\.so$/.test(entry.file)) return undefined;
    const path = join(directory, entry.file);
    const content = readFileSync(path);
    return content.length === entry.bytes && sha256(content) === entry.sha256 ? path : undefined;
  } catch {
    return undefined;
  }
}

const chosen = new Map<string, string>();

/**
 * REINS_CACHE, else the user's cache directory; a fresh temporary one when that cannot be written, or when others could write
 * there and so have us run their code.
 */
export function cacheDirectory(): string {
  const wish =
    process.env.REINS_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "reins");
  const known = chosen.get(wish);
  if (known) return known;
  const directory = usable(wish) ? wish : mkdtempSync(join(tmpdir(), "reins-"));
  chosen.set(wish, directory);
  return directory;
}

function usable(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(directory);
    if (process.getuid && uid !== process.getuid()) return false;
    if (mode & 0o022) return false;
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}
