import { createHash } from "node:crypto";
import {
  closeSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, delimiter, join } from "node:path";
import { cacheDirectory, inTemporary } from "./folder.ts";
import { start } from "./start.ts";

/**
 * A compiler's version text. Starting it takes longer than loading a library, so the text is cached for the exact file: its name,
 * size and times. Only if that file is the compiler itself: a script, or a program that starts compilers (ccache), may start
 * another compiler tomorrow.
 */
export function compilerVersion(command: string, args: readonly string[]): string {
  const file = args.length === 0 ? programFile(command) : undefined;
  const note =
    file && join(cacheDirectory(), `${createHash("sha256").update(file).digest("hex").slice(0, 40)}.cc.json`);
  const known = note && kept(note, file);
  if (known) return known;
  const version = start(command, [...args, "--version"], { seconds: 20 });
  if (note) keep(note, { file, version });
  return version;
}

interface Kept {
  readonly file: string;
  readonly version: string;
}

/** The file of a compiler binary, and properties that change when it is replaced. */
function programFile(command: string): string | undefined {
  const folders = command.includes("/") ? [""] : (process.env.PATH ?? "").split(delimiter);
  for (const folder of folders) {
    try {
      const path = realpathSync(join(folder, command));
      const { size, mtimeMs, ctimeMs, ino } = statSync(path);
      const own = /(^|-)(gcc|clang)(-[\d.]+)?$/.test(basename(path)) && isProgram(path);
      return own ? JSON.stringify([path, size, mtimeMs, ctimeMs, ino]) : undefined;
    } catch {
      // It is not in this folder.
    }
  }
  return undefined;
}

/** Whether a file is a Linux executable. */
function isProgram(path: string): boolean {
  const head = Buffer.alloc(4);
  const file = openSync(path, "r");
  try {
    readSync(file, head, 0, 4, 0);
  } finally {
    closeSync(file);
  }
  return head.toString("latin1") === "\x7fELF";
}

function kept(note: string, file: string): string | undefined {
  try {
    const found = JSON.parse(readFileSync(note, "utf8")) as Kept;
    return found.file === file ? found.version : undefined;
  } catch {
    return undefined;
  }
}

function keep(note: string, content: Kept): void {
  try {
    inTemporary(cacheDirectory(), (folder) => {
      const temporary = join(folder, "version");
      writeFileSync(temporary, JSON.stringify(content), { mode: 0o600 });
      renameSync(temporary, note);
    });
  } catch {
    // The compiler is run again.
  }
}
