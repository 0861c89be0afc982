import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LineFile, lineFile } from "./line-file.ts";

/** Lines that are written once, to a temporary file, and then read in any order. */
export interface TemporaryLines {
  /** Appends a line, which must not contain line breaks. */
  write(line: string): void;
  /** The lines; closing them deletes the file. So does the end of the process. */
  read(): LineFile;
  /** Deletes the file. */
  remove(): void;
}

/** Characters that are collected before they are written. */
const block = 1 << 20;

/** A temporary file of lines. */
export function temporaryLines(): TemporaryLines {
  const folder = fs.mkdtempSync(join(tmpdir(), "reins-lines-"));
  const path = join(folder, "lines");
  const fd = fs.openSync(path, "wx", 0o600);
  let waiting = "";
  const flush = () => {
    fs.writeFileSync(fd, waiting);
    waiting = "";
  };
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  const end = () => {
    process.off("exit", remove);
    remove();
  };
  return {
    write(line) {
      waiting += `${line}\n`;
      if (waiting.length > block) flush();
    },
    read() {
      flush();
      fs.closeSync(fd);
      try {
        const lines = lineFile(path);
        return {
          ...lines,
          get digest() {
            return lines.digest;
          },
          close() {
            lines.close?.();
            end();
          },
        };
      } catch (error) {
        end();
        throw error;
      }
    },
    remove() {
      fs.closeSync(fd);
      end();
    },
  };
}
