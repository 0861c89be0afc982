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
 * What a compiler prints about itself. Starting it takes longer than loading a library, so the answer is kept, for the very file that
 * gave it: its name, size and times. Only where that file is the compiler: a script, or a program that starts compilers (ccache), may
 * have another behind it tomorrow.
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

/** The file of a compiler that is one itself, and what changes when it is replaced. */
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

/** Whether a file is machine code of Linux. */
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
    // It is asked again.
  }
}
