import { claimText } from "@reins/recipes";
import { findBook, readResult, rejudge } from "@reins/recipes/book";
import { type Io, print } from "../../terminal/io.ts";
import type { RecipeFlags } from "./flags.ts";
import { readRows } from "./list.ts";

/** `reins recipes judge`: applies the current rules to recorded results. */
export async function judge(given: readonly string[], flags: RecipeFlags, io: Io): Promise<number> {
  const book = findBook(flags.book);
  const measured = async () => (await readRows(flags)).rows.filter((r) => r.result).map((r) => r.system.id);
  const ids = given.length ? given : await measured();
  const all = ids.map((id) => ({ id, changed: rejudge(book, id, flags.because!) }));
  if (flags.json) {
    print(io.out, JSON.stringify(all));
    return 0;
  }
  for (const { id, changed } of all) {
    const result = readResult(book, id)!;
    for (const { claim, before, now } of changed)
      print(io.out, `${id}: ${claimText(result.claims[claim], result)}: was ${before}, now ${now}`);
  }
  const count = all.filter((a) => a.changed.length).length;
  print(io.out, `${count} of ${all.length} verdicts changed. Run reins recipes table to update the pages.`);
  return 0;
}
