import { openPlain, readPlain } from "./plain-files.ts";

/** How the files of a run are read. */
export interface Reader {
  /** All of a small file. */
  text(path: string): string;
  /** Opens a file of which parts are read. The caller closes it. */
  open(path: string): number;
}

/** Reads regular files of any size; symbolic links are not followed. */
export const plainReader: Reader = {
  text: (path) => readPlain(path).toString("utf8"),
  open: (path) => openPlain(path),
};
