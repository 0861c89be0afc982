import { readBuffer } from "./plain-buffer.ts";
import { openPlain } from "./plain-files.ts";

/** How the files of a run are read. */
export interface Reader {
  /** All of a small file. */
  text(path: string): string;
  /** Opens a file of which parts are read. The caller closes it. */
  open(path: string): number;
}

/** Reads regular files of any size; symbolic links are not followed. */
export const plainReader: Reader = {
  text: (path) => readBuffer(path).toString("utf8"),
  open: (path) => openPlain(path),
};
