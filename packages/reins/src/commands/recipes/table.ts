import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pagesOf, textsOf } from "@reins/recipes/book";
import { counted } from "../../terminal/format.ts";
import { type Io, print } from "../../terminal/io.ts";
import type { RecipeFlags } from "./flags.ts";
import { readRows } from "./list.ts";

/** `reins recipes table`: writes all generated pages and figures of the book. */
export async function table(flags: RecipeFlags, io: Io): Promise<number> {
  const { book, rows } = await readRows({ ...flags, family: undefined });
  const pages = pagesOf(rows, textsOf(book));
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(book, path)), { recursive: true });
    writeFileSync(join(book, path), text);
  }
  print(io.out, `${book}: ${counted(rows.length, "method")}, ${counted(pages.size, "page")} and figures`);
  return 0;
}
