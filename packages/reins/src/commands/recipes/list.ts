import { didYouMean } from "@reins/core/errors";
import { claimText, effectOf } from "@reins/recipes";
import { type BookRow, builtFile, findBook, levelOf, loadEntry, rowsOf, stateOf } from "@reins/recipes/book";
import { usageError } from "../../cli/usage.ts";
import { counted } from "../../terminal/format.ts";
import { type Io, inkOf, print } from "../../terminal/io.ts";
import { table } from "../../terminal/table.ts";
import type { RecipeFlags } from "./flags.ts";

/** Rows of the recipe book that the flags select. */
export async function readRows(flags: RecipeFlags): Promise<{ book: string; rows: BookRow[] }> {
  const book = findBook(flags.book);
  const rows = await rowsOf(book, (file) => loadEntry(builtFile(book, file)));
  const { family } = flags;
  const families = [...new Set(rows.flatMap((r) => r.system.family))].sort();
  if (family !== undefined && !families.includes(family))
    usageError(
      `unknown family ${family}.${didYouMean(family, families) || ` Use one of ${families.join(", ")}.`}`,
    );
  return { book, rows: family ? rows.filter((r) => r.system.family.includes(family)) : rows };
}

/** The colours of verdicts. */
export const colors: { readonly [state: string]: number } = {
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
    const plain = wanted.map((r) => ({
      id: r.system.id,
      title: r.system.title,
      family: r.system.family,
      state: stateOf(r),
      level: levelOf(r.entry, r.result),
      ...(r.result && {
        claims: r.result.claims.map((claim, i) => ({
          claim: claimText(claim, r.result!),
          ...r.result!.judged[i],
        })),
        measuredAt: r.result.measuredAt,
        verified: r.verified,
      }),
    }));
    print(io.out, JSON.stringify(plain));
    return 0;
  }
  const ink = inkOf(io.out);
  const cells = wanted.flatMap((r) => {
    const paint = (state: string) => (state in colors ? ink.color(colors[state], state) : ink.dim(state));
    const { result } = r;
    if (!result) return [[r.system.id, r.system.family[0], "", paint(stateOf(r) || "no recipe"), ""]];
    return result.claims.map((claim, i) => [
      i === 0 ? r.system.id : "",
      i === 0 ? r.system.family[0] : "",
      i === 0 ? ink.dim(levelOf(r.entry, result) ?? "") : "",
      paint(result.judged[i].verdict),
      `${metricOf(claim)}: ${effectOf(claim, { ...result.judged[i], note: undefined })}`,
    ]);
  });
  print(io.out, ...table(["recipe", "family", "level", "verdict", "effect (95% interval)"], cells, { ink }));
  const measured = rows.filter((r) => r.result).length;
  const levels = ["mapped", "works", "measured", "replicated"].map(
    (level) => `${level} ${rows.filter((r) => levelOf(r.entry, r.result) === level).length}`,
  );
  print(
    io.out,
    "",
    `${rows.filter((r) => r.entry).length} of ${counted(rows.length, "method")} have a recipe, ${measured} are measured`,
    `By level: ${levels.join(", ")}`,
  );
  return 0;
}

const metricOf = (claim: Parameters<typeof effectOf>[0]): string =>
  claim.kind === "joint" ? claim.of.map(metricOf).join(" and ") : [claim.metric].flat().join(", ");

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
      ...table(["method", "family", "paper"], cells, { ink }),
      "",
      `${counted(wanted.length, "method")} without a recipe`,
    );
  }
  return 0;
}
