import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Note } from "../../kernel/program.ts";
import { keyOf, type Library, lookUp, markUsed, sha256 } from "./cache.ts";
import { cacheDirectory, discard, inTemporary } from "./folder.ts";

/**
 * Plans are stored beside their compiled libraries, so that a process with a known function skips fusion and
 * code generation. A note is only valid for the compiler that wrote it: its files are part of the key. Their installation
 * time matters too, since all files of an installed package have the same modification time.
 */
const stamps = new Map<string, string>();

/** The files of the compiler for `backend`. */
export function compilerStamp(backend: "native" | "wasm"): string {
  const known = stamps.get(backend);
  if (known) return known;
  const here = dirname(fileURLToPath(import.meta.url));
  const root = join(here, "..", "..");
  const apart = ["", "compile", "kernel", "lower", "math", `backends/${backend}`];
  const times: string[] = [];
  // For Node all files are bundled into a few, in one folder.
  for (const folder of basename(here) === "native" ? apart : ["dist/packed"]) {
    for (const file of readdirSync(join(root, folder)).sort()) {
      if (!/(?<!\.test|\.d)\.[jt]s$/.test(file)) continue;
      const { mtimeMs, ctimeMs, size } = statSync(join(root, folder, file));
      times.push(`${file}:${mtimeMs}:${ctimeMs}:${size}`);
    }
  }
  const stamp = times.join();
  stamps.set(backend, stamp);
  return stamp;
}

/** Contents of a cache file: a plan, the library it was made with, and a digest over both and their key. */
interface Kept {
  readonly library: string;
  readonly librarySha256: string;
  readonly text: string;
  readonly sha256: string;
}

const digestOf = (key: string, { library, librarySha256, text }: Omit<Kept, "sha256">) =>
  sha256(JSON.stringify([key, library, librarySha256, text]));

const fileKey = (key: string, flags: readonly string[]) => keyOf([key, compilerStamp("native")], flags);
const pathOf = (directory: string, key: string) => join(directory, `${key}.plan.json`);

/** Stores which library a plan belongs to. Failure is ignored. */
export function writeNote(
  note: Note,
  library: Library,
  sources: readonly string[],
  flags: readonly string[],
): void {
  try {
    const key = fileKey(note.key, flags);
    const directory = cacheDirectory();
    const kept = { library: keyOf(sources, flags), librarySha256: library.sha256, text: note.text };
    inTemporary(directory, (folder) => {
      const temporary = join(folder, "plan");
      writeFileSync(temporary, JSON.stringify({ ...kept, sha256: digestOf(key, kept) }), { mode: 0o600 });
      renameSync(temporary, pathOf(directory, key));
    });
  } catch {
    // The next process plans again.
  }
}

/** The plan and the library under `key`, if both are intact and belong together. Anything else is removed. */
export function readNote(key: string, flags: readonly string[]): { text: string; path: string } | undefined {
  let note: string | undefined;
  try {
    const directory = cacheDirectory();
    const own = fileKey(key, flags);
    if (!existsSync(pathOf(directory, own))) return undefined;
    note = pathOf(directory, own);
    const kept = JSON.parse(readFileSync(note, "utf8")) as Kept;
    if (kept.sha256 !== digestOf(own, kept)) throw new Error("damaged");
    const library = lookUp(directory, kept.library);
    if (library?.sha256 !== kept.librarySha256) throw new Error("another library");
    markUsed(note);
    return { text: kept.text, path: library.path };
  } catch {
    if (note) discard(note);
    return undefined;
  }
}
