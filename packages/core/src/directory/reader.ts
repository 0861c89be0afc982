import * as fs from "node:fs";

/** How the files of a run are read. Who does not trust a folder passes one that follows no links. */
export interface Reader {
  /** All of a small file. */
  text(path: string): string;
  /** Opens a file of which parts are read. Who asked closes it. */
  open(path: string): number;
}

/** Reads whatever is there. */
export const trusting: Reader = {
  text: (path) => fs.readFileSync(path, "utf8"),
  open: (path) => fs.openSync(path, "r"),
};
