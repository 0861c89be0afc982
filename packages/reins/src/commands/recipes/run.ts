import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  explained,
  findBook,
  type Performed,
  perform,
  Stopped,
  tablePage,
  writeResult,
} from "@reins/recipes/book";
import { listenForInterrupt } from "../../cli/interrupt.ts";
import { version } from "../../cli/version.ts";
import { type Io, inkOf, print } from "../../terminal/io.ts";
import { short, time } from "../../terminal/words.ts";
import type { RecipeFlags } from "./flags.ts";
import { readRows } from "./list.ts";
import { resultLines } from "./show.ts";

/** `reins recipes run` */
export async function run(ids: readonly string[], flags: RecipeFlags, io: Io): Promise<number> {
  const book = findBook(flags.book);
  const interrupt = listenForInterrupt();
  const ink = inkOf(io.out);
  try {
    for (const id of ids) {
      const began = performance.now();
      if (!flags.json) print(io.out, ink.bold(id));
      const performed = await perform(book, id, {
        seeds: flags.seeds,
        firstSeed: flags["first-seed"],
        quick: flags.quick,
        jobs: flags.jobs,
        versions: {
          reins: version(),
          node: process.versions.node,
          machine: `${process.platform} ${process.arch}`,
        },
        stop: () => interrupt.code !== undefined,
        progress({ done, total, job, outcome }) {
          if (flags.json) return;
          const spent = (performance.now() - began) / 1000;
          const left = (spent / done) * (total - done);
          const what = `seed ${job.seed}, side ${job.side}: ${outcome.failed ? `failed (${outcome.failed})` : short(outcome.value)}`;
          const line = `  ${done} of ${total}   ${time(spent)}, about ${time(left)} left   ${what}`;
          if (io.out.isTTY) io.out.write(`\r\x1b[K${line.slice(0, (io.out.columns ?? 100) - 1)}`);
          else if (done % 10 === 0 || done === total) print(io.out, line);
        },
      });
      if (io.out.isTTY && !flags.json) io.out.write("\r\x1b[K");
      print(io.out, ...(flags.json ? [JSON.stringify(summary(performed))] : lines(performed)));
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    print(io.err, `${io.out.isTTY ? "\n" : ""}${error.message}`);
    return interrupt.code ?? 1;
  } finally {
    interrupt.off();
  }
  if (flags.quick) return 0;
  try {
    await table(flags, { ...io, out: { write: () => true } });
  } catch (error) {
    // The results are recorded; a recipe that is not built only keeps the table from being written.
    print(io.err, `The table was not written: ${(error as Error).message}`);
  }
  return 0;
}

/** `reins recipes refresh` */
export async function refresh(flags: RecipeFlags, io: Io): Promise<number> {
  const { rows } = await readRows(flags);
  const wanted = rows
    .filter((r) => r.entry?.kind === "recipe" && (r.stale || !r.result))
    .map((r) => r.system.id);
  if (wanted.length) return run(wanted, flags, io);
  print(io.out, "No result is stale.");
  return 0;
}

/** `reins recipes table` */
export async function table(flags: RecipeFlags, io: Io): Promise<number> {
  const { book, rows } = await readRows({ ...flags, family: undefined });
  const path = join(book, "README.md");
  for (const { result, entry } of rows)
    if (result && entry?.kind === "recipe" && explained(result, entry).reason !== result.reason)
      writeResult(book, explained(result, entry));
  writeFileSync(path, tablePage(rows));
  print(io.out, `${path}: ${rows.length} systems`);
  return 0;
}

const summary = ({ recipe, judgement, measured, sides, used, result }: Performed) => ({
  id: recipe.id,
  ...measured,
  effects: judgement.effects,
  sides,
  used,
  recorded: result !== undefined,
});

function lines({ judgement: j, sides, result }: Performed): string[] {
  if (result) return resultLines(result, false);
  return [
    ...sides.map((s) => `  ${s.name}: ${s.values.map(short).join(" ")}`),
    `  ${j.verdict} on these seeds: ${short(j.estimate)} (${short(j.low)} to ${short(j.high)}); not recorded`,
  ];
}
