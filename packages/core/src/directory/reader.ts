import { readBuffer } from "./plain-buffer.ts";
import { openPlain } from "./plain-files.ts";

/** File access of readers of a run. */
export interface Reader {
  /** Reads a small file. */
  text(path: string): string;
  /** Opens a file to read parts of it. The caller closes it. */
  open(path: string): number;
}

/** Reads regular files of any size; symbolic links are not followed. */
export const plainReader: Reader = {
  text: (path) => readBuffer(path).toString("utf8"),
  open: (path) => openPlain(path),
};
