import { didYouMean } from "@reins/core/errors";
import { claimText, effectText, type Recipe } from "@reins/recipes";
import {
  findBook,
  firstEvaluationSeed,
  type MeasuredRecipe,
  measureRecipe,
  Stopped,
} from "@reins/recipes/book";
import { listenForInterrupt } from "../../cli/interrupt.ts";
import { usageError } from "../../cli/usage.ts";
import { version } from "../../cli/version.ts";
import { short, time } from "../../terminal/format.ts";
import { type Io, inkOf, print, shownOn } from "../../terminal/io.ts";
import type { RecipeFlags } from "./flags.ts";
import { readRows } from "./list.ts";
import { resultLines } from "./show.ts";
import { table } from "./table.ts";
import { verify } from "./verify.ts";

/** `reins recipes run` */
export async function run(ids: readonly string[], flags: RecipeFlags, io: Io): Promise<number> {
  const book = findBook(flags.book);
  const interrupt = listenForInterrupt();
  const ink = inkOf(io.out);
  try {
    for (const id of ids) {
      const began = performance.now();
      let fresh = 0;
      if (!flags.json) print(io.out, ink.bold(id));
      const performed = await measureRecipe(book, id, {
        quick: flags.quick,
        another: flags.another,
        because: flags.because,
        jobs: flags.jobs,
        whole: flags.whole,
        versions: { reins: version() },
        stop: () => interrupt.code !== undefined,
        progress({ done, total, job, outcome, side }) {
          if (flags.json) return;
          const spent = (performance.now() - began) / 1000;
          const left = (spent / ++fresh) * (total - done);
          const [metric, value] = Object.entries(outcome.values)[0] ?? ["", Number.NaN];
          const what = `${side}, seed ${job.seed}: ${outcome.failed ?? `${metric} ${short(value)}`}`;
          // The number of tuning jobs is known only step by step.
          const stage = flags.quick ? "smoke test" : job.seed < firstEvaluationSeed ? "tuning" : "evaluation";
          const line = `  ${stage}: ${done} of ${total}   ${time(spent)}, ${time(left)} left in this stage   ${what}`;
          if (io.out.isTTY)
            io.out.write(`\r\x1b[K${shownOn(io.out, line.slice(0, (io.out.columns ?? 100) - 1))}`);
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
    // The results are recorded; a recipe that is not built only prevents the table.
    print(io.err, `The table was not written: ${(error as Error).message}`);
  }
  return 0;
}

/** `reins recipes run --testbed`: the testbed first, then the recipes on it, which share its runs. */
export async function runTestbed(id: string, flags: RecipeFlags, io: Io): Promise<number> {
  const { rows } = await readRows(flags);
  const recipes = rows.flatMap((r) => (r.entry?.kind === "recipe" ? [{ ...r, entry: r.entry }] : []));
  const beds = recipes.filter((r) => r.entry.bed).map((r) => r.system.id);
  if (!beds.includes(id))
    usageError(`unknown testbed ${id}.${didYouMean(id, beds) || ` Use one of ${beds.join(", ")}.`}`);
  const wanted = recipes.filter((r) => !r.result && (r.system.id === id || r.entry.on?.id === id));
  const first = (r: (typeof wanted)[number]) => (r.system.id === id ? 0 : 1);
  const ids = wanted.sort((a, b) => first(a) - first(b)).map((r) => r.system.id);
  if (ids.length === 0) {
    print(io.out, `The testbed ${id} and all recipes on it are measured.`);
    return 0;
  }
  return run(ids, flags, io);
}

/** `reins recipes refresh`: verifies all results, and measures recipes that changed or have no result. */
export async function refresh(flags: RecipeFlags, io: Io): Promise<number> {
  const { rows } = await readRows(flags);
  if (rows.some((r) => r.result)) {
    const code = await verify([], flags, io);
    if (code > 1) return code;
  }
  const { rows: now } = await readRows(flags);
  const written = now.filter((r) => r.entry?.kind === "recipe");
  const moved = written.filter((r) => r.result && r.verified?.how === "moved").map((r) => r.system.id);
  const fresh = written.filter((r) => !r.result).map((r) => r.system.id);
  if (moved.length === 0 && fresh.length === 0) {
    print(io.out, "All results are up to date.");
    return 0;
  }
  const because = flags.because ?? "the code has changed what it computes";
  const code = moved.length ? await run(moved, { ...flags, because }, io) : 0;
  return code || (fresh.length ? run(fresh, flags, io) : 0);
}

const summary = ({ recipe, judged, blocks, plan, result }: MeasuredRecipe) => ({
  id: recipe.id,
  judged,
  blocks,
  plan,
  recorded: result !== undefined,
});

function lines({ recipe, judged, blocks, result }: MeasuredRecipe): string[] {
  if (result) return resultLines(recipe, result);
  const names = {
    system: recipe.system.name,
    baselines: recipe.baselines.map((b) => b.name),
    metrics: recipe.metrics,
  };
  return [
    ...Object.entries(blocks[0].values).map(
      ([side, values]) =>
        `  ${side}: ${Object.entries(values)
          .map(([metric, list]) => `${metric} ${list.map(short).join(" ")}`)
          .join(", ")}`,
    ),
    ...recipe.claims.map(
      (c, i) => `  ${claimText(c, names)}: ${effectText(c, judged[i])} on these seeds; not recorded`,
    ),
    ...alike(recipe, blocks[0]),
  ];
}

/** Warns about baselines with the same results as the system, usually because an option has no effect. */
function alike({ system, baselines }: Recipe, { values, early }: MeasuredRecipe["blocks"][number]): string[] {
  const resultsOf = (name: string) => JSON.stringify([values[name], early[name]]);
  return baselines
    .filter((b) => resultsOf(b.name) === resultsOf(system.name))
    .map(
      (b) =>
        `  ${system.name} and ${b.name} gave identical results. Check that the option takes effect and that learning starts within budget.quick.`,
    );
}
