import { builtFile, effectText, findBook, loadEntry, type Row, rowsOf, stateOf } from "@reins/recipes/book";
import { type Io, inkOf, print } from "../../terminal/io.ts";
import { table } from "../../terminal/table.ts";
import { counted } from "../../terminal/words.ts";
import type { RecipeFlags } from "./flags.ts";

/** All rows of the book that the flags name. */
export async function readRows(flags: RecipeFlags): Promise<{ book: string; rows: Row[] }> {
  const book = findBook(flags.book);
  const rows = await rowsOf(book, (file) => loadEntry(builtFile(book, file)));
  const { family } = flags;
  return { book, rows: family ? rows.filter((r) => r.system.family.includes(family)) : rows };
}

const colors: { readonly [state: string]: number } = {
  shown: 2,
  towards: 6,
  reversed: 1,
  against: 5,
  negligible: 3,
  undecided: 4,
};

/** `reins recipes list` */
export async function list(flags: RecipeFlags, io: Io): Promise<number> {
  const { rows } = await readRows(flags);
  const wanted = flags.all ? rows : rows.filter((r) => r.entry);
  if (flags.json) {
    const plain = wanted.map(({ system, result, stale, ...r }) => ({
      id: system.id,
      title: system.title,
      family: system.family,
      state: stateOf({ system, result, stale, ...r }),
      stale,
      ...(result && { estimate: result.estimate, low: result.low, high: result.high }),
    }));
    print(io.out, JSON.stringify(plain));
    return 0;
  }
  const ink = inkOf(io.out);
  const cells = wanted.map((r) => {
    const state = stateOf(r) || "to write";
    const shown = state in colors ? ink.color(colors[state], state) : ink.dim(state);
    return [
      r.system.id,
      r.system.family[0],
      shown,
      r.stale ? "stale" : "",
      r.result ? effectText(r.result) : "",
    ];
  });
  print(io.out, ...table(["recipe", "family", "verdict", "", "effect (95 % interval)"], cells, { ink }));
  const stale = rows.filter((r) => r.stale).length;
  print(
    io.out,
    "",
    `${rows.filter((r) => r.entry).length} of ${counted(rows.length, "system")} written, ${rows.filter((r) => r.result).length} measured${stale ? `, ${stale} of them before the code changed (reins recipes refresh)` : ""}`,
  );
  return 0;
}

/** `reins recipes missing` */
export async function missing(flags: RecipeFlags, io: Io): Promise<number> {
  const { rows } = await readRows(flags);
  const wanted = rows.filter((r) => !r.entry).map((r) => r.system);
  if (flags.json) print(io.out, JSON.stringify(wanted));
  else {
    const ink = inkOf(io.out);
    const cells = wanted.map((s) => [s.id, s.family.join(", "), s.title]);
    print(
      io.out,
      ...table(["system", "family", "paper"], cells, { ink }),
      "",
      `${counted(wanted.length, "system")} to write`,
    );
  }
  return 0;
}
