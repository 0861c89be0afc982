import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { fail } from "@reins/core";
import type { Entry } from "@reins/recipes";
import { builtFile, findBook, loadEntry } from "@reins/recipes/book";

/** Loads what a recipe says of itself. */
export type LoadEntry = (file: string) => Promise<Entry>;

/**
 * Loads recipes of a book, which runs their code. That of the book beside this very program alone: another one that lies in or above the
 * folder that the studio was begun in may have been put there by anybody.
 */
export const loaderOf =
  (book: string, own = ownBook()): LoadEntry =>
  async (file) => {
    if (book !== own)
      fail(
        relative(book, file),
        "its code is not run: it is of a book that does not belong to this installation of Reins. `reins recipes show` runs it.",
      );
    return loadEntry(builtFile(book, file));
  };

/** The book that is nearest to this program; undefined if there is none. */
function ownBook(): string | undefined {
  try {
    return findBook(dirname(fileURLToPath(import.meta.url)));
  } catch {
    return undefined;
  }
}
